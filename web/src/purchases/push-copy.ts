export const pushCopy = {
  label: 'Avisos en este dispositivo',
  offer: 'Te avisamos aquí cuando venza un pago, lo recibamos, te devolvamos dinero o ya puedas recoger.',
  turnOn: 'Avisarme aquí',
  turning: 'Activando los avisos',
  notNow: 'Ahora no',
  on: 'Listo: te avisamos en este dispositivo. Lo cambias en tu perfil.',
  blocked: 'Tu navegador no permite los avisos. Te seguimos avisando por correo.',
} as const;
