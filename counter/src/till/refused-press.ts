import { isRefused } from '@aparta/browser/api-error.ts';
import { alertFor, sentenceFor } from '@aparta/browser/copy.ts';
import { TAKE_REFUSALS } from '../data/payments.ts';
import type { Press } from '../session/press.ts';
import { tillCopy } from './copy.ts';

const copy = tillCopy.charge.refusedSlip;

/** A press that booked nothing, and why. */
export interface RefusedPress {
  readonly press: Press;
  readonly words: string;
}

/** The terminal charges before its slip is typed in: of such a press nobody here can say that nothing was charged. */
export function refusedPress(press: Press, error: unknown): RefusedPress {
  const isOfMoney = isRefused(error, ...TAKE_REFUSALS) && !isRefused(error, 'TOO_MANY');
  if (press.method === 'cash' || !isOfMoney) return { press, words: sentenceFor(error) };
  const isStillOwed = isRefused(error, 'AMOUNT_CHANGED');
  return { press, words: `${alertFor(error).title}. ${isStillOwed ? copy.orOther : copy.text}` };
}
