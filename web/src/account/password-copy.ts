/** Texts for resetting a password. Separate from `copy.ts` to keep the first load small. */
export const passwordCopy = {
  forgot: {
    title: 'Olvidaste tu password',
    heading: 'Olvidaste tu password?',
    intro: 'Escribe el correo de tu cuenta y te enviamos un enlace para cambiarlo.',
    email: 'Correo',
    submit: 'Enviar',
    busy: 'Enviando…',
    notSent: 'El correo no salió: vuelve a pedirlo',
    signIn: '¿Ya lo recordaste? Entra aquí',
    mayBeChanged: {
      title: 'Puede que tu password ya haya cambiado',
      text: 'Prueba entrar con el nuevo. Si no entras, escribe tu correo y te enviamos otro enlace.',
    },
  },

  change: {
    title: 'Cambia tu password',
    heading: 'Bienvenido/a',
    intro: 'Elige tu nuevo password.',
    introFor: (email: string) => `Elige un password nuevo para ${email}.`,
    password: 'Password',
    passwordHint: 'Al menos 8 caracteres.',
    again: 'Confirmar Password',
    differ: 'Password Incorrecto!',
    differHint: 'Los dos tienen que ser iguales.',
    submit: 'Enviar',
    busy: 'Guardando…',
    signIn: 'Volver a Login',
  },
} as const;
