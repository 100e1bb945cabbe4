/** Texts for confirming an e-mail. Separate from `copy.ts` to keep the first load small. */
export const confirmCopy = {
  title: 'Confirma tu correo',
  asking: 'Confirmando tu correo…',
  withoutScripts: 'Aún no está confirmado: activa JavaScript en tu navegador y abre otra vez el enlace.',
  done: '¡Tu correo está confirmado!',
  doneText: 'Desde ahora recibes aquí tus recibos completos y tus facturas.',
  deadText: 'Si ya lo confirmaste, no tienes que hacer nada. Si no, pide otro enlace en tu perfil.',
  failed: 'No pudimos confirmar tu correo',
  toHome: 'Ir a Inicio',
  toProfile: 'Ir a mi perfil',
  signIn: 'Entrar',

  notice: 'Confirma tu correo',
  noticeText: (email: string) =>
    `Te enviamos un enlace a ${email}. Mientras no lo abras, tus recibos llegan resumidos.`,
  again: 'Enviar otra vez',
  sending: 'Enviando…',
  sent: 'Te enviamos otro enlace',
  sentText: (email: string) => `Ábrelo en ${email}. El anterior ya no sirve.`,
} as const;
