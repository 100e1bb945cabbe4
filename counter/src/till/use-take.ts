import { isUnanswered } from '@aparta/browser/unanswered.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../app/paths.ts';
import { receiptQuery, take, type Receipt } from '../data/payments.ts';
import { forgetPress, keepPress, type Press, unfinishedPress } from '../session/press.ts';
import { session, useSession } from '../session/session.ts';

/** How often an unanswered press is sent again by itself, and how long after each. */
const TRIES = 5;
const AGAIN_AFTER_MS = 3_000;

/** Whose receipt was just led to, and not shown yet. */
let justTaken: string | undefined;

/** Whether a receipt is shown for the first time, by the press that took its money: then its change is still to be handed over. */
export function useJustTaken(folio: string): boolean {
  const [isFirst] = useState(() => justTaken === folio);
  useEffect(() => {
    justTaken = undefined;
  }, []);
  return isFirst;
}

/** `waiting` and `stuck`: nobody knows yet whether this press was booked. */
export type Taking =
  | { readonly is: 'idle' | 'sending' }
  | { readonly is: 'waiting' | 'stuck'; readonly press: Press };

/**
 * Sends a press until its one receipt is here, which it leads to. What the server refused is thrown, and forgotten; while there is
 * no answer the press stays, on this device too, and is sent again under the same id. It outlives its screen: once somebody else
 * has signed in it is left to whoever pressed, in whose name and drawer it belongs, and once it was dropped it is not sent again.
 */
export function useTake() {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const position = useSession()?.position;
  const [state, setState] = useState<Taking>({ is: 'idle' });
  // State changes too late to stop the second of two taps.
  const running = useRef(false);

  function show(receipt: Receipt) {
    forgetPress(receipt.id);
    queries.removeQueries({ queryKey: ['owed'] });
    queries.setQueryData(receiptQuery(receipt.folio).queryKey, receipt);
    justTaken = receipt.folio;
    navigate(paths.receipt(receipt.folio), { replace: true });
  }

  async function send(press: Press): Promise<void> {
    if (running.current) return;
    running.current = true;
    keepPress(position, press);
    // A look-up that is under way would show what this press has changed.
    void queries.cancelQueries({ queryKey: ['owed'] });
    setState(state.is === 'idle' ? { is: 'sending' } : { is: 'waiting', press });
    const isTheirs = () => session.isStill(position);
    const isKept = () => unfinishedPress(position, ({ id }) => id === press.id) !== undefined;
    try {
      for (let turn = 1; ; turn += 1) {
        try {
          const receipt = await take(press);
          return isTheirs() ? show(receipt) : undefined;
        } catch (error) {
          if (!isTheirs()) return;
          if (!isUnanswered(error)) {
            forgetPress(press.id);
            setState({ is: 'idle' });
            throw error;
          }
        }
        if (turn === TRIES) return setState({ is: 'stuck', press });
        setState({ is: 'waiting', press });
        await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
        if (!isTheirs() || !isKept()) return setState({ is: 'stuck', press });
      }
    } finally {
      running.current = false;
    }
  }

  return { state, send, show };
}
