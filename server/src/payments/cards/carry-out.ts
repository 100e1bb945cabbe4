import { add } from '@aparta/domain/money';
import type { Act, Clocks } from './attempt.ts';
import { applyMoney, holdMoney, type Moved, recordReversal, returnMoney } from './attempt-money.ts';
import { type Locked, notifyBuyer } from './notify-buyer.ts';
import { isPaidAnew } from './blocking.read-model.ts';
import type { Observation } from './observe.ts';
import type { ProviderPayment } from '../card-provider/port.ts';
import { isApplicable, lockUnitOf } from './payable.ts';
import type { Attempt } from './store.ts';

/** An attempt that is locked, with what it pays. */
export interface Scene extends Locked {
  readonly clocks: Clocks;
  readonly attempt: Attempt;
  /** What was seen; undefined where time alone moves it. */
  readonly observation: Observation | undefined;
}

/** Milliseconds since an attempt was made. */
export const ageOf = ({ now, createdAt }: Attempt) => now.getTime() - createdAt.getTime();

/** Does what the attempt's table says, money and email included, and tells the state that this leads to; the caller writes it. */
export async function carryOut(scene: Scene, act: Act): Promise<Moved> {
  const { attempt, observation, clocks } = scene;
  const payment = observation !== undefined && 'payment' in observation ? observation.payment : undefined;
  const total = add(attempt.principalCentavos, attempt.feeCentavos);
  const stay: Moved = { state: attempt.state };
  switch (act) {
    case 'stay':
      return stay;
    case 'refresh':
    case 'pending_3ds':
      return {
        state: 'pending_3ds',
        ...(observation?.kind === 'requires_action' ? { threeDsUrl: observation.threeDsUrl } : {}),
      };
    case 'await_3ds':
      return carryOut(scene, ageOf(attempt) < clocks.threeDsMs ? 'pending_3ds' : 'abandoned');
    case 'count_not_found': {
      const notFoundCount = attempt.notFoundCount + 1;
      if (notFoundCount < clocks.notFoundNeeded) return { ...stay, notFoundCount };
      return { ...(await carryOut(scene, 'not_charged')), notFoundCount };
    }
    case 'apply_or_return_if_agreed':
      return attempt.capturedCentavos > 0 && attempt.capturedCentavos !== total
        ? stay
        : carryOut(scene, 'apply_or_return');
    case 'apply_or_return':
      return applyOrReturn(scene, payment);
    case 'return_or_abandon':
      return attempt.capturedCentavos > 0
        ? returnMoney(scene, attempt, payment)
        : carryOut(scene, 'abandoned');
    case 'record_reversal':
      return payment === undefined ? stay : recordReversal(scene, attempt, payment);
    case 'held':
      return payment === undefined ? stay : holdMoney(scene, attempt, payment);
    case 'refuse_unless_captured':
      if (attempt.capturedCentavos === 0) return carryOut(scene, 'rejected');
      return payment === undefined
        ? stay
        : recordReversal(scene, attempt, { ...payment, refundedCentavos: attempt.capturedCentavos });
    case 'not_charged':
    case 'rejected':
      // A buyer who was told to wait gets an email; what is known at once is on the screen.
      if (attempt.state === 'unknown' || attempt.state === 'held')
        await notifyBuyer(scene, attempt, 'payment_not_charged', total);
      return { state: act, threeDsUrl: null };
    case 'abandoned':
      if (attempt.state !== 'not_charged') await notifyBuyer(scene, attempt, 'payment_abandoned', total);
      return { state: 'abandoned', threeDsUrl: null };
    case 'submitting':
    case 'unknown':
      return { state: act, threeDsUrl: null };
    case 'applied':
    case 'returned':
      throw new Error(`an attempt is ${act} by a person alone (decide-held.ts)`);
  }
}

/** Applies money where it can be, and its product is not sold out; else all of it goes back. */
async function applyOrReturn(scene: Scene, payment: ProviderPayment | undefined): Promise<Moved> {
  const { tx, payable, attempt } = scene;
  if (payable === undefined || !isApplicable(payable, attempt) || (await isPaidAnew(tx, attempt.id)))
    return returnMoney(scene, attempt, payment);
  const unit = await lockUnitOf(tx, payable);
  return unit === undefined
    ? returnMoney(scene, attempt, payment, 'sold_out')
    : applyMoney(scene, { payable, unit }, attempt, payment);
}
