import type { AlertText } from '@aparta/ui/alert.tsx';

/** Spec §8's alerts of sign-up alone, word for word, and one of ours. */
export const takenAlerts = {
  /** On leaving the e-mail field when the user exists. */
  emailExists: { kind: 'warning', title: 'Busqueda de informacion!', text: 'El Email ya existe!' },
  /** On submit, if the look-up had found it taken. */
  emailTakenAtSubmit: { kind: 'warning', title: 'Registro no exitoso!', text: 'El Email ya existe!' },
  /** It is taken since a submit whose answer was lost, and the password does not open it. */
  maybeMade: {
    kind: 'warning',
    title: 'Puede que tu cuenta ya se haya creado.',
    text: 'Entra con tu password o cámbialo.',
  },
} as const satisfies Record<string, AlertText>;

/** Sign-up, apart from sign-in's: the first load does not need it. Texts of spec §2 and §5 are literal. */
export const registerCopy = {
  title: 'Crear mi cuenta',
  heading: 'Crear mi cuenta',
  intro:
    'Crea tu cuenta, escanea el código QR del producto o servicio que vas a pagar en abonos, entra y paga.',
  userName: 'Nombre de usuario',
  nameIsAddress: 'Escribe tu nombre, sin direcciones de internet.',
  phone: 'Teléfono',
  optional: 'Opcional.',
  email: 'Correo',
  emailRequired: 'La descripcion es obligatorio',
  emailTooShort: 'El nombre no puede ser menor a 4 caracteres',
  emailTaken: 'El Email ya existe!',
  emailInvalid: 'Escribe tu correo completo, sin espacios, acentos ni ñ, por ejemplo nombre@correo.mx.',
  password: 'Password',
  passwordHint: 'Al menos 8 caracteres.',
  terms: {
    before: 'Acepto los ',
    terms: 'términos',
    between: ' y el ',
    privacy: 'aviso de privacidad',
    opens: 'Se abren en otra pestaña.',
    version: (version: string) => `Términos en su versión ${version}.`,
  },
  submit: 'Crear',
  busy: 'Loading...',
  signIn: '¿Ya tienes cuenta? Entra aquí',
} as const;
