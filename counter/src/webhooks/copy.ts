const SLOW = 'Tardó demasiado en contestar.';
const AWAY = 'No se pudo conectar con tu sistema.';
const NO_NAME = 'Ese nombre no existe en internet.';

const PROBLEMS: Readonly<Record<string, string>> = {
  TimeoutError: SLOW,
  ETIMEDOUT: SLOW,
  UND_ERR_CONNECT_TIMEOUT: SLOW,
  ECONNREFUSED: AWAY,
  ECONNRESET: AWAY,
  EHOSTUNREACH: AWAY,
  ENETUNREACH: AWAY,
  UND_ERR_SOCKET: AWAY,
  ENOTFOUND: NO_NAME,
  EAI_AGAIN: NO_NAME,
  ADDRESS_NOT_ALLOWED: 'Esa dirección no es pública.',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'Contestó con demasiado. Basta un 200 vacío.',
};

/** What kept an event from being taken: a status, or the word of a fault. */
function problemText(problem: string): string {
  const known = PROBLEMS[problem];
  if (known !== undefined) return known;
  if (/CERT|TLS|SSL|SIGNATURE/.test(problem)) return 'Su certificado de seguridad no es válido.';
  if (!/^\d{3}$/.test(problem)) return `No se pudo entregar (${problem}).`;
  if (problem.startsWith('3')) return `Esa dirección manda a otra (${problem}). Pon la definitiva.`;
  if (problem === '401' || problem === '403') return `Tu sistema no aceptó la firma (${problem}).`;
  if (problem === '404' || problem === '410') return `No hay nada en esa dirección (${problem}).`;
  return problem.startsWith('5')
    ? `Tu sistema falló al recibirlo (${problem}).`
    : `Tu sistema no lo aceptó (${problem}).`;
}

/** Texts of what the shop's own system is told. */
export const webhooksCopy = {
  title: 'Avisos a tu sistema',
  intro: 'Tu punto de venta o tu ERP se entera en segundos de cada pago, devolución y cancelación.',
  add: 'Agregar una dirección',
  full: 'Ya tienes cinco direcciones encendidas. Apaga una para agregar otra.',
  none: 'Todavía no hay ninguna. Pide la dirección a quien programa tu sistema.',
  failed: 'No pudimos cargar los avisos',
  loading: 'Cargando',
  back: 'Ver todas las direcciones',
  missing: 'Esa dirección no está',
  states: {
    on: (since: string) => `Encendida desde el ${since}`,
    failing: (since: string) => `No contesta bien desde el ${since}`,
    off: (since: string) => `Apagada desde el ${since}`,
    dead: (since: string) => `La apagamos el ${since}: no contestó en tres días`,
  },
  waiting: (count: number) => (count === 1 ? '1 aviso en espera' : `${count} avisos en espera`),
  url: 'Dirección',
  urlHint: 'Empieza con https:// y te la da quien programa tu sistema.',
  urlWrong: 'Escribe la dirección completa, con https:// y sin contraseña.',
  urlNotAllowed: 'Tiene que empezar con https:// y ser una dirección pública.',
  urlTwice: 'Ya está encendida. Si no guardaste su clave, ábrela y cámbiala.',
  submit: 'Agregar',
  adding: 'Agregando…',
  secretTitle: 'Guarda esta clave ahora',
  secretText:
    'Se muestra solo esta vez. Dásela a quien programa tu sistema: con ella comprueba que los avisos son nuestros.',
  secretLost: 'Si se pierde, no hay que volver a empezar: se cambia aquí mismo.',
  secret: 'Clave',
  secretSaved: 'Ya la guardé',
  page: {
    failing: 'Tu sistema no está tomando los avisos',
    failingText: 'Seguimos intentando. Lo que no tome en tres días se queda aquí y la dirección se apaga.',
    dead: 'Tu sistema dejó de contestar',
    deadText: 'Cuando tu sistema funcione otra vez, enciéndela: recibe todo lo que se perdió.',
    off: 'Está apagada',
    offText: 'Al encenderla recibe todo lo que pasó mientras tanto.',
    both: (until: string) => `La clave anterior también sirve hasta el ${until}.`,
    rotate: 'Cambiar la clave',
    rotateText: 'Durante 24 horas sirven las dos, para que cambies la de tu sistema sin perder avisos.',
    rotateAgainText:
      'La cambiaste hace menos de 24 horas. Si la cambias otra vez, la clave de antes de ese cambio deja de servir ahora.',
    rotateSure: 'Sí, cambiar la clave',
    rotating: 'Cambiando…',
    no: 'No, dejarla así',
    turnOn: 'Encender',
    turningOn: 'Encendiendo…',
    turnOff: 'Apagar',
    turnOffText: 'Tu sistema deja de enterarse. Al encenderla recibe lo que pasó mientras tanto.',
    turnOffSure: 'Sí, apagar',
    turningOff: 'Apagando…',
  },
  sent: {
    title: 'Enviado en los últimos 30 días',
    none: 'Todavía no hay avisos. El primero sale con el siguiente pago, o con una prueba.',
    types: {
      'payment.taken': 'Pago cobrado',
      'payment.reversed': 'Pago devuelto',
      'purchase.paid_off': 'Compra liquidada',
      'purchase.cancelled': 'Compra cancelada',
      'webhook.test': 'Prueba',
    },
    outcomes: { delivered: 'Entregado', waiting: 'En espera', given_up: 'No entregado' },
    number: (sequence: number) => `Aviso ${sequence}`,
    tries: (count: number) => (count === 1 ? '1 intento' : `${count} intentos`),
    problem: problemText,
    test: 'Enviar una prueba',
    testBusy: 'Enviando…',
    testText: 'No mueve dinero. Llega firmada, como los demás avisos.',
    again: 'Enviar otra vez',
    againBusy: 'Enviando…',
  },
} as const;
