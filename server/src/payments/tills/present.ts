import { pesosFromCentavos } from '@aparta/contract/amount';
import type { Reply } from '@aparta/contract/endpoint';
import type { queryTill, TillReply } from '@aparta/contract/tills';
import type { CounterQuote } from '@aparta/domain/counter-quote';
import { shortName } from '@aparta/domain/short-name';

import type { LookedUp } from '../owed/read-owed.ts';

const STATES = {
  open: 'por_cobrar',
  expired: 'vencida',
  paid_off: 'pagada',
  cancelled: 'cancelada',
} as const;

/** The sums that may be taken, fee inside. */
export function presentSums(
  quote: CounterQuote | undefined,
): Pick<TillReply, 'siguiente' | 'minimo' | 'todo'> {
  if (quote === undefined) return {};
  return {
    siguiente: pesosFromCentavos(quote.next.amountCentavos),
    minimo: pesosFromCentavos(quote.minimumCentavos),
    todo: pesosFromCentavos(quote.all.amountCentavos),
  };
}

/** What a reference stands for, in a till's words. */
export function presentOwed(
  owed: LookedUp | undefined,
): Omit<Reply<typeof queryTill>, 'error' | 'mensaje' | 'autorizacion'> {
  if (owed === undefined) return { estado: 'desconocida' };
  const { expiresAt, quote } = owed;
  const due = owed.instalments.find(({ balanceCentavos }) => balanceCentavos > 0)?.dueOn;
  return {
    estado: STATES[owed.state],
    referencia: owed.reference,
    operacion: owed.kind === 'deposit' ? 'OnLayaway' : 'payment',
    producto: owed.productName,
    comprador: shortName(owed.buyerName),
    saldo: pesosFromCentavos(owed.balanceCentavos),
    atrasada: owed.isLate,
    ...((expiresAt ?? due) !== undefined && { vence: expiresAt?.toISOString() ?? due }),
    ...(quote && { importe: pesosFromCentavos(quote.next.amountCentavos) }),
    ...presentSums(quote),
  };
}
