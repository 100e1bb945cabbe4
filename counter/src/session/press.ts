import { payRefund, takePayment } from '@aparta/contract/counter-payments';
import { idField, uuid } from '@aparta/contract/text';
import type { StaffSession } from '@aparta/contract/counter-sessions';
import { deviceStorage } from '@aparta/browser/storage.ts';
import * as v from 'valibot';

// One press of a person is one payment, one hand-over or one refund: it is kept before it is sent, until its receipt has been seen. Tabs
// and people of a device may each have one. Whoever has another role or branch since is the same person.

/** Whoever presses; undefined while nobody is signed in. */
export type Presser = Pick<StaffSession['position'], 'positionId' | 'formerIds'> | undefined;

/** What the presses of one kind are kept by, for each person. */
function pressesIn<const Body extends v.GenericSchema<{ readonly id: string }>>(name: string, body: Body) {
  type Press = v.InferInput<Body>;
  type Kept = { readonly positionId: string; readonly body: Press };
  const kept = v.object({ positionId: v.string(), body });
  const isKept = (one: unknown): one is Kept => v.is(kept, one);

  /** Also what another version wrote and this one cannot read: whoever can will ask what became of it. */
  function read(): readonly unknown[] {
    try {
      return v.parse(v.array(v.unknown()), JSON.parse(deviceStorage.get(name) ?? '[]'));
    } catch {
      return []; // tampered with
    }
  }
  function write(presses: readonly unknown[]): void {
    if (presses.length === 0) deviceStorage.remove(name);
    else deviceStorage.set(name, JSON.stringify(presses));
  }
  const others = (id: string) => read().filter((press) => !isKept(press) || press.body.id !== id);
  return {
    unfinished: (who: Presser, is: (press: Press) => boolean = () => true): Press | undefined =>
      read()
        .filter(isKept)
        .find(
          ({ positionId, body }) =>
            (positionId === who?.positionId || who?.formerIds.includes(positionId)) && is(body),
        )?.body,
    keep: (who: Presser, press: Press): void =>
      write([...others(press.id), { positionId: who?.positionId ?? '', body: press }]),
    forget: (id: string): void => write(others(id)),
  };
}

/** `productName` and `buyer`, whose short name it is, are for whoever is asked about it; a version before kept neither. */
const payment = v.object({
  ...takePayment.body.entries,
  productName: v.optional(v.string()),
  buyer: v.optional(v.string()),
});
export type Press = v.InferInput<typeof payment>;
const payments = pressesIn('mostrador.presses', payment);

/** A press whose end this person has not seen, after a lost reply, a reload or a dead phone. */
export const unfinishedPress = payments.unfinished;
export const keepPress = payments.keep;
export const forgetPress = payments.forget;

/** A press that handed goods over, perhaps. Neither digits nor a signature stay on the device. */
const handOver = v.object({ id: uuid, purchaseId: idField, productName: v.string() });
export type HandOverPress = v.InferInput<typeof handOver>;

/** The same of hand-overs. */
export const handOverPresses = pressesIn('mostrador.hand-overs', handOver);

/** A press that took a payment back, perhaps; `isTold`: one of its person's screens tells to hand the money over. */
const reversal = v.object({ id: uuid, folio: v.string(), isTold: v.optional(v.boolean()) });
export type ReversalPress = v.InferInput<typeof reversal>;

/** The same of payments that are taken back. */
export const reversalPresses = pressesIn('mostrador.reversals', reversal);

/** A press that paid a refund, perhaps. */
const refund = v.object({ ...payRefund.body.entries, refundId: idField });
export type RefundPress = v.InferInput<typeof refund>;

/** The same of refunds. */
export const refundPresses = pressesIn('mostrador.refunds', refund);
