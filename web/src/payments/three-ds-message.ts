import { config } from '../app/config.ts';

/**
 * Whether a message is the bank's about this payment: of the provider's exact origin, from our own frame, naming this
 * payment (rules/card-attempts#3ds). It only makes the server check. Without `paymentId`, which helpers are not told, the
 * frame alone says whose it is.
 */
export function isBanksAnswer(
  message: { origin: string; source: unknown; data: unknown },
  frame: unknown,
  paymentId: string | undefined,
): boolean {
  if (!config.threeDsOrigins.includes(message.origin)) return false;
  if (!message.source || message.source !== frame) return false;
  if (paymentId === undefined) return true;
  return paymentId !== '' && paymentIdIn(message.data) === paymentId;
}

function paymentIdIn(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'paymentId' in data ? data.paymentId : undefined;
}
