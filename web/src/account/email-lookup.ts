import { useRef } from 'react';
import { isEmailTaken } from '../data/sign-up.ts';

/** `unknown`: the look-up failed, and the insert will decide (rules/accounts#sign-up). */
type Answer = Promise<'free' | 'taken' | 'unknown'>;

/** Whether an e-mail has an account. Looks each address up once, however often it is asked about. */
export function useEmailLookup(): (address: string) => Answer {
  const last = useRef<{ address: string; answer: Answer }>(undefined);
  return (address) => {
    if (last.current?.address !== address) {
      const answer = isEmailTaken(address).then(
        (isTaken) => (isTaken ? ('taken' as const) : ('free' as const)),
        () => 'unknown' as const,
      );
      last.current = { address, answer };
      // After a failure the next call asks again.
      void answer.then((said) => {
        if (said === 'unknown' && last.current?.address === address) last.current = undefined;
      });
    }
    return last.current.answer;
  };
}
