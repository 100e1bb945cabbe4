import { centavos, type Centavos, centavosToPesos, pesosToCentavos } from '@aparta/domain/money';
import type { Operation } from '@aparta/provider-wire/tapi';
import { type CashNetwork, type CounterPayment, pay, presentOperation, reverse } from './network.ts';
import type { CashNotices, NoticeMode } from './notices.ts';

export type Counter = ReturnType<typeof createCounter>;

const aPeso = 100;

/** What is done at a store's counter, and told to the product: for the page and for the control. */
export function createCounter({ network, notices }: { network: CashNetwork; notices: CashNotices }) {
  function tell(body: Operation, how?: Partial<NoticeMode>): Operation {
    notices.notify(body, how);
    return body;
  }

  /** The first notice of an operation, as it went out. */
  const firstNotice = (operationId: string) =>
    notices.notices.all().find((row) => row.operationId === operationId)?.body;

  return {
    /** Takes money. RangeError for an unknown reference without an amount. */
    pay: (payment: CounterPayment, how?: Partial<NoticeMode>) =>
      tell(presentOperation(network, pay(network, payment)), how),

    /** Gives it back; undefined when there is nothing (left) to give back. */
    reverse(operationId: string, how?: Partial<NoticeMode>): Operation | undefined {
      const reversal = reverse(network, operationId);
      return reversal && tell(presentOperation(network, reversal), how);
    },

    /** The same notice once more. */
    repeat(operationId: string, how?: Partial<NoticeMode>): Operation | undefined {
      const body = firstNotice(operationId);
      return body && tell(body, how);
    },

    /** A notice of the same operation with another sum: a peso more, unless one is given. */
    alter(operationId: string, amount?: Centavos, how?: Partial<NoticeMode>): Operation | undefined {
      const body = firstNotice(operationId);
      if (body === undefined) return undefined;
      const more = centavos((pesosToCentavos(body.amount ?? 0) ?? 0) + aPeso);
      return tell({ ...body, amount: centavosToPesos(amount ?? more) }, how);
    },
  };
}
