import { pesosFromCentavos } from '@aparta/contract/amount';
import type { Reply, ReplyData } from '@aparta/contract/endpoint';
import type { listTillOperations, queryTill, TillReply } from '@aparta/contract/tills';
import type { CounterQuote } from '@aparta/domain/counter-quote';
import { shortName } from '@aparta/domain/short-name';

import type { Place } from '../../ledger/books/journal.ts';
import type { LookedUp } from '../owed/read-owed.ts';
import type { FeedEntry } from './feed.ts';

const STATES = {
  open: 'por_cobrar',
  sold_out: 'agotada',
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

/** A place in the books, as the cursor of a feed. */
export function presentPlace({ position, id }: Place): string {
  return `${position.toString(36)}-${id.toString(36)}`;
}

/** The place of a cursor; undefined without one. */
export function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const [position = 0, id = 0] = cursor.split('-').map((part) => Number.parseInt(part, 36));
  return { position, id };
}

export function presentFeedEntry(
  entry: FeedEntry,
  chain: string,
): ReplyData<typeof listTillOperations>[number] {
  return {
    operacion: entry.operation === 'layaway' ? 'OnLayaway' : 'payment',
    estado: entry.isReversal ? 'revertida' : 'autorizada',
    compañia: chain,
    sucursal: entry.branch,
    idtransaccion: entry.transactionId,
    referencia: entry.reference,
    importe: pesosFromCentavos(entry.amountCentavos),
    autorizacion: entry.authorisation,
    comercioId: entry.merchantId,
    ventaId: entry.purchaseId,
    fecha: entry.at.toISOString(),
  };
}
