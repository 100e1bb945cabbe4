import type { PurchaseStanding } from '@aparta/server/back-office/operations/purchases.read-model';

export const STANDINGS: Readonly<Record<PurchaseStanding, string>> = {
  active: 'activa',
  late: 'activa, vencida',
  'paid-off': 'liquidada, por entregar',
  delivered: 'liquidada, entregada',
  cancelled: 'cancelada',
};

/** Texts of the purchase commands. */
export const PURCHASES = {
  none: 'No hay compras así.',
  noneUnpaid: 'No hay ninguna: toda compra activa tiene algo pagado, o una tarjeta la está pagando.',
  evidence: (file: string) => `La constancia está en ${file}.`,
  sections: {
    plan: 'Plan',
    receipts: 'Pagos recibidos',
    attempts: 'Intentos con tarjeta',
    refunds: 'Devoluciones',
    references: 'Referencias de tienda',
    history: 'Cómo llegó aquí',
  },
  keptIn: (branch: string, since: string, seen: string | undefined, missing: string | undefined) =>
    [
      `${branch}, desde el ${since}`,
      seen !== undefined && `vista el ${seen}`,
      missing !== undefined && `NO ESTÁ desde el ${missing}`,
    ]
      .filter(Boolean)
      .join('; '),
  handedOver: (at: string, branch: string, by: string, to: string) =>
    `${at}, en ${branch}, por ${by}, a ${to}`,
  noReceipts: 'ninguno',
  instalment: {
    paid: 'pagado',
    late: 'vencido',
    next: 'es el que sigue',
    upcoming: 'por pagar',
    dropped: 'ya no se cobra',
  },
  warned: { first: 'Primer aviso', last: 'Último aviso' },
  warning: (endsOn: string, sent: string | undefined) =>
    `termina el ${endsOn}; ${sent === undefined ? 'el correo no ha salido' : `enviado el ${sent}`}`,
  kept: (penalty: string, fees: string) => `${penalty} de cargo por cancelar, ${fees} de cargo por servicio`,
  back: (all: string, done: string) => `${all}; ya se entregó ${done}`,
  allOfIt: (id: number) => `Todo, con libros y correos: payment follow --by ${id}`,
} as const;
