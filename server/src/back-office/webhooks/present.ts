import { pesosFromCentavos } from '@aparta/contract/amount';
import type { listWebhookDeliveries, listWebhooks } from '@aparta/contract/counter-webhooks';
import type { ReplyData } from '@aparta/contract/endpoint';
import { type Centavos, centavos, zero } from '@aparta/domain/money';
import type { JournalEntry } from '../../ledger/books/journal.ts';
import type { WebhookEvent } from './deliver.ts';
import type { ListedDelivery, ListedEndpoint } from './endpoint-store.ts';
import type { BookedFact } from './events.read-model.ts';

export function presentEndpoint(endpoint: ListedEndpoint): ReplyData<typeof listWebhooks>[number] {
  const { id, url, isDead, offAt, failingSince, createdAt, bothUntil, waiting } = endpoint;
  const state = isDead ? 'dead' : offAt !== null ? 'off' : failingSince !== null ? 'failing' : 'on';
  return {
    id,
    url,
    state,
    since: (offAt ?? failingSince ?? createdAt).toISOString(),
    bothUntil: bothUntil?.toISOString() ?? null,
    waiting,
  };
}

export function presentDelivery(delivery: ListedDelivery): ReplyData<typeof listWebhookDeliveries>[number] {
  const { id, sequence, type, createdAt, dueAt, deliveredAt, tries, problem } = delivery;
  const outcome = deliveredAt !== null ? 'delivered' : dueAt !== null ? 'waiting' : 'given_up';
  return { id, sequence, type, createdAt: createdAt.toISOString(), outcome, tries, problem };
}

/**
 * What an entry of the books is to a shop's POS, of one of its purchases; nothing where it moved money between accounts of the
 * books alone.
 */
export function eventsOf(entry: JournalEntry, fact: BookedFact): WebhookEvent[] {
  const { kind, merchantId } = entry;
  const purchase = {
    merchantId,
    purchaseId: fact.purchaseId,
    sku: fact.sku,
    price: pesosFromCentavos(fact.priceCentavos),
    // Of a purchase that this ended nothing is owed.
    balance: pesosFromCentavos(fact.isEnd ? zero : centavos(fact.priceCentavos - fact.paidCentavos)),
  };
  const cancelled = (keptCentavos: Centavos, returnedCentavos: Centavos): WebhookEvent => {
    const { balance: _balance, ...of } = purchase;
    const kept = pesosFromCentavos(keptCentavos);
    return {
      type: 'purchase.cancelled',
      data: { ...of, kept, returned: pesosFromCentavos(returnedCentavos) },
    };
  };
  const payment = {
    ...purchase,
    folio: fact.folio,
    channel: fact.channel,
    amount: pesosFromCentavos(fact.amountCentavos ?? fact.movedCentavos),
    applied: pesosFromCentavos(fact.movedCentavos),
    isDeposit: fact.isDeposit,
    till:
      fact.transactionId === null
        ? null
        : { compañia: fact.chain, sucursal: fact.branch, idtransaccion: fact.transactionId },
  };
  if (kind.endsWith('_reversal')) {
    const reversed: WebhookEvent = { type: 'payment.reversed', data: payment };
    return fact.isEnd ? [reversed, cancelled(zero, zero)] : [reversed];
  }
  if (kind === 'cancel') return [cancelled(fact.keptCentavos, fact.returnedCentavos)];
  if (!kind.endsWith('_receipt') && kind !== 'suspense_resolved') return [];
  const taken: WebhookEvent = { type: 'payment.taken', data: payment };
  const isPaidOff = fact.paidCentavos === fact.priceCentavos;
  return isPaidOff ? [taken, { type: 'purchase.paid_off', data: purchase }] : [taken];
}
