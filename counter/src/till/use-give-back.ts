import { useEffect, useState } from 'react';
import type { Receipt } from '../data/payments.ts';
import { reversalPresses } from '../session/press.ts';
import { useSession } from '../session/session.ts';

/**
 * Whether this screen tells to hand over the money that a press of its person took back: the first of theirs that hears of it does,
 * and each that is opened later, until they say that they did it.
 */
export function useGiveBack({ reversal }: Receipt) {
  const position = useSession()?.position;
  const pressOf = (by: string | null | undefined) =>
    reversalPresses.unfinished(position, ({ id }) => id === by);
  const [told, setTold] = useState(() => pressOf(reversal?.id)?.id);
  const press = pressOf(told ?? reversal?.id);
  if (press && !press.isTold && told === undefined) setTold(press.id);
  const tells = press !== undefined && press.id === told;
  useEffect(() => {
    if (tells && !press.isTold) reversalPresses.keep(position, { ...press, isTold: true });
  });
  function seen() {
    if (press) reversalPresses.forget(press.id);
    setTold(undefined);
  }
  return { tells, seen };
}
