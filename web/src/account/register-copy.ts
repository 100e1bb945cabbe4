/** Sign-up, apart from sign-in's: the first load does not need it. Texts of spec §2 and §5 are literal. */
export const registerCopy = {
  title: 'Crear mi cuenta',
  heading: 'Crear mi cuenta',
  intro:
    'Crea tu cuenta, escanea el código QR del producto o servicio que vas a pagar en abonos, entra y paga.',
  userName: 'Nombre de usuario',
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
