import type { OperatorClaim } from '@aparta/server/back-office/operations/claims.read-model';

const STATES: Readonly<Record<OperatorClaim['state'], string>> = {
  open: 'sin contestar',
  answered: 'contestado',
  delivered: 'terminó con la entrega',
  refunded: 'terminó con la devolución',
  withdrawn: 'lo retiró su comprador',
};

/** Texts of the claim commands. */
export const CLAIMS = {
  none: 'No hay reclamos abiertos.',
  state: ({ state, isOverdue }: OperatorClaim) => STATES[state] + (isOverdue ? ', fuera de plazo' : ''),
  refunded: (purchaseId: number) =>
    `La compra ${purchaseId} terminó y todo lo pagado se devuelve: la tarjeta sola, el efectivo lo entrega el comercio. Se le avisó al comprador.`,
} as const;
