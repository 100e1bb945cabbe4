/** Sign-in. Texts of spec §2 are literal. */
export const accountCopy = {
  tagline: 'Aparta hoy y paga poco a poco.',

  signIn: {
    title: 'Entrar',
    heading: 'Bienvenido/a',
    email: 'Correo',
    password: 'Password',
    keep: 'Mantener mi sesión en este teléfono',
    submit: 'Login',
    busy: 'Entrando…',
    wrong: 'Correo o Password Incorrecto!',
    register: '¿Todavía no tienes cuenta? Regístrate de forma gratuita',
    forgot: '¿Se te olvidó tu password?',
    passwordChanged: 'Tu password cambió. Entra con el nuevo.',
    died: 'Tu sesión terminó. Entra para seguir donde estabas.',
  },
} as const;
