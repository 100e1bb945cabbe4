/** Texts of the profile. Separate from `copy.ts` to keep the first load small. */
export const profileCopy = {
  title: 'Perfil',
  tabs: {
    label: 'Partes de tu perfil',
    general: 'Información general',
    fiscal: 'Información fiscal',
  },
  legal: {
    label: 'Textos legales',
    terms: 'Términos y condiciones',
    privacy: 'Aviso de privacidad',
  },
  retrying: 'Reintentando…',

  general: {
    loading: 'Cargando tu información',
    failed: 'No pudimos cargar tu información',
    name: 'Nombre',
    email: 'Correo',
    phone: 'Teléfono',
    street: 'Calle',
    number: 'Número',
    postalCode: 'Código postal',
    wrong: 'Revisa este dato: es muy largo o tiene un carácter que no podemos guardar.',
    submit: 'Actualizar información',
    busy: 'Actualizando…',
    signsOut: 'Después de actualizar te pedimos entrar otra vez.',
    cancel: 'Cancelar',
  },

  reminders: {
    title: 'Recordatorios de pago',
    byEmail: 'Recordarme mis pagos por correo',
    when: 'Cinco días antes, la tarde anterior y el día después si no has pagado. Nunca de noche.',
  },

  pushes: {
    title: 'Avisos en este dispositivo',
    here: 'Avisarme en este dispositivo',
    what: 'Cuando venza un pago, lo recibamos, te devolvamos dinero o ya puedas recoger.',
    blocked: 'Tu navegador no permite los avisos. Actívalos en los ajustes de este sitio y vuelve aquí.',
  },

  sessions: {
    title: 'Dispositivos con sesión abierta',
    loading: 'Cargando tus sesiones',
    failed: 'No pudimos cargar tus sesiones',
    since: (moment: string) => `Desde el ${moment}`,
    here: 'Este dispositivo',
    kept: 'Se mantiene abierta ahí.',
    keptHere: 'Se mantiene en este teléfono hasta que cierres sesión.',
    close: 'Cerrar sesión',
    closing: 'Cerrando…',
    sessionOf: (device: string, moment: string) => `de ${device} del ${moment}`,
    unknown: 'Dispositivo sin nombre',
    device: (browser: string, system: string) => `${browser} en ${system}`,
  },
} as const;
