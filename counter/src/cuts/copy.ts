import { formatMoment } from '@aparta/domain/calendar';
import { formatDifference } from '@aparta/domain/cut';
import { inGroups } from '@aparta/domain/in-groups';
import { formatMoney, type Centavos } from '@aparta/domain/money';

/** Texts of the cuts of drawers. */
export const cutsCopy = {
  title: 'Corte',
  intro: 'Lo que entró y salió de la caja desde el último corte.',
  branch: 'Sucursal',
  noBranch: 'No tienes una sucursal abierta.',
  loading: 'Cargando la caja',
  failed: 'No pudimos cargar la caja',
  own: 'Tu caja',
  of: (name: string) => `Caja de ${name}`,
  cashTaken: 'Cobrado en efectivo',
  cashReturned: 'Devuelto en efectivo',
  terminalTaken: 'Cobrado con terminal',
  terminalReturned: 'Devuelto en terminal',
  float: 'Fondo de caja',
  floatHint: 'Lo que había al empezar. Déjalo vacío si no había.',
  floatAsBefore: (before: Centavos) =>
    `En el corte anterior fue de ${formatMoney(before)}. Si hoy fue otro, cámbialo y di por qué.`,
  floatWrong: 'Escribe cuánto había, por ejemplo 1,200.50.',
  expected: 'Debe haber',
  /** Before anybody says what was in it. */
  expectedBare: 'Debe haber, sin el fondo',
  counted: 'Contado',
  countField: '¿Cuánto efectivo contaste?',
  countWrong: 'Cuenta el efectivo y escribe cuánto hay, por ejemplo 1,200.50; 0 si no hay.',
  difference: 'Diferencia',
  says: saysOf,
  reason: 'Motivo de la diferencia',
  floatReason: 'Motivo del otro fondo',
  bothReasons: 'Motivo de la diferencia y del otro fondo',
  floatReasonWrong: 'Escribe por qué el fondo no es el del corte anterior.',
  reasonHint: 'Queda escrito en el corte.',
  reasonWrong: 'Escribe por qué no cuadra.',
  open: 'Contar y cerrar',
  submit: 'Cerrar corte',
  busy: 'Cerrando…',
  nothing: 'No hay nada que cerrar: no entró ni salió nada desde el último corte.',
  unexplained:
    'No se cerró nada. Si la caja no cuadra, o el fondo no es el del corte anterior, escribe por qué.',
  unanswered: 'No sabemos si se cerró. Toca otra vez: es un solo corte.',
  final: 'Un corte cerrado no se puede cambiar.',
  movements: (count: number) => (count === 1 ? '1 movimiento' : `${count} movimientos`),
  newest: (count: number) => `Se ven los ${count} más recientes; las sumas son de todos.`,
  none: 'Sin movimientos.',
  hour: formatMoment,
  cash: 'Efectivo',
  terminal: 'Terminal',
  returned: 'Devolución',
  reversed: 'Devuelto',
  past: 'Cortes anteriores',
  noPast: 'Todavía no hay cortes.',
  number: (number: number) => `Corte ${number}`,
  listed: (name: string, at: Date, difference: number) =>
    `${name}, ${formatMoment(at)}${difference === 0 ? '' : `. ${saysOf(difference)}`}`,

  /** Of presses that gave money back and got no answer. */
  returns: {
    ofPayment: (folio: string) => `del cobro ${inGroups(folio)}`,
    ofAmount: (amount: Centavos) => `de ${formatMoney(amount)}`,
    title: (what: string) => `¿Quedó anotada la devolución ${what}?`,
    waiting: 'No llegó la respuesta. Estamos preguntando otra vez; no entregues dinero mientras tanto.',
    stuck: 'Seguimos sin respuesta. Cuando regrese la red lo sabremos: no entregues dinero mientras tanto.',
    retry: 'Preguntar otra vez',
    asking: 'Preguntando…',
    notBooked: (what: string) => `La devolución ${what} no se anotó`,
    reversalText: '¿Ya devolviste el dinero? Anótalo con «Devolver este cobro» en su recibo antes de contar.',
    toReceipt: 'Abrir el recibo',
    before:
      'Ese cobro ya lo había devuelto otra persona, o tú en otra pantalla. No entregues dinero otra vez.',
    refundText: '¿Ya entregaste el dinero? Si dices que sí, queda anotada una sola vez.',
    book: 'Sí, anotarla',
    booking: 'Anotando…',
    notDone: 'No devolví nada',
    goOn: 'Seguir con el corte',
    booked: (what: string) => `La devolución ${what} sí quedó anotada`,
    bookedText: {
      cash: 'Está en tu caja como dinero que salió. Si todavía no lo entregas, entrégalo antes de contar.',
      terminal: 'Está en tu corte. Si todavía no la haces en tu terminal, hazla ahora.',
    },
    given: { cash: 'Ya la entregué', terminal: 'Ya la hice' },
  },

  closed: {
    missing: 'Ese corte no es de tus sucursales.',
    loading: 'Cargando el corte',
    failed: 'No pudimos cargar el corte',
    whose: 'Caja de',
    by: 'Cerró',
    from: 'Desde',
    until: 'Hasta',
    reason: 'Motivo',
    pdf: 'Guardar PDF',
    pdfBusy: 'Preparando…',
    print: 'Imprimir',
    back: 'Volver a Corte',
  },
} as const;

function saysOf(difference: number): string {
  if (difference === 0) return 'Sin diferencia';
  return `${difference < 0 ? 'Faltan' : 'Sobran'} ${formatDifference(Math.abs(difference))}`;
}
