import { formatDate, formatDateLong, type DateOnly } from '@aparta/domain/calendar';

/** Apart from the other words of purchases, since it is loaded with what is paid whole alone. */
export const claimCopy = {
  until: (on: DateOnly) => `La tienda tiene hasta el ${formatDateLong(on)} para entregártela.`,

  late: '¿No te la han entregado?',
  lateText: (on: DateOnly) =>
    `La tienda tenía hasta el ${formatDateLong(on)}. Si ya fuiste y no te la dieron, reclama: tiene cinco días hábiles para contestarte. Si no lo hace, entramos nosotros.`,
  claim: 'Reclamar mi entrega',
  notes: 'Qué pasó (opcional)',
  notesHint: 'La tienda lo lee tal como lo escribas.',
  send: 'Enviar mi reclamo',
  sending: 'Enviando…',
  notNow: 'Ahora no',

  title: 'Tu reclamo',
  open: 'La tienda ya sabe que no la has recibido.',
  openText: (on: DateOnly) => `Tiene hasta el ${formatDateLong(on)} para contestarte.`,
  overdue: 'La tienda no cumplió su plazo.',
  overdueText: 'Ya lo estamos viendo nosotros. No tienes que hacer nada.',
  answered: (on: DateOnly) => `La tienda te contestó el ${formatDateLong(on)}:`,
  promised: (on: DateOnly) => `Te la entrega el ${formatDateLong(on)}.`,
  folio: 'Folio',
  since: 'Desde',
  date: formatDate,
  wrote: 'Escribiste',
  ends: 'Termina cuando te la entregan o te devuelven todo lo que pagaste. Tu código de entrega sigue sirviendo.',

  withdraw: 'Retirar mi reclamo',
  withdrawText: 'Tu compra sigue pagada y por entregar. Si no te la entregan, puedes reclamar otra vez.',
  withdrawYes: 'Sí, retirarlo',
  withdrawing: 'Retirando…',
  withdrawNo: 'No, que siga',
};
