import { isRefused } from '@aparta/browser/api-error.ts';
import { usePolling } from '@aparta/ui/use-polling.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { readStoreNumber, type HelpReference } from '../../data/helping.ts';
import { helpNumber } from '../../session/help-number.ts';

const POLL_EVERY_MS = 10_000;
const POLL_FOR_MS = 10 * 60_000;

/**
 * A helper's number as the device knows it, and then as the server does: asked again while the screen is visible. `onGone`: the
 * server does not know it.
 */
export function useStoreNumber(
  code: string,
  kept: HelpReference,
  onGone: () => void,
): {
  wire: HelpReference;
  isOld: boolean;
  isChecking: boolean;
  /** Undefined while it is asked by itself. */
  check: (() => void) | undefined;
} {
  const [wire, setWire] = useState(kept);
  const [isOld, setOld] = useState(false);
  const [isChecking, setChecking] = useState(false);
  const { isPolling, restart } = usePolling(POLL_FOR_MS);
  const [turn, setTurn] = useState(0);
  const intentId = kept.intentoId;

  const ask = useEffectEvent(async (signal: AbortSignal) => {
    if (document.visibilityState === 'hidden') return;
    try {
      const found = await readStoreNumber(intentId, signal);
      helpNumber.keep(code, found);
      setWire(found);
      setOld(false);
    } catch (error) {
      if (signal.aborted) return;
      if (isRefused(error, 'NOT_FOUND')) return onGone();
      setOld(true);
    }
    setChecking(false);
  });
  useEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function poll(): Promise<void> {
      await ask(signal);
      if (isPolling && !signal.aborted) timer = setTimeout(() => void poll(), POLL_EVERY_MS);
    }
    void poll();
    document.addEventListener('visibilitychange', () => void ask(signal), { signal });
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [isPolling, turn]);

  const check = () => {
    restart();
    setChecking(true);
    setTurn((before) => before + 1);
  };
  return { wire, isOld, isChecking, check: isPolling && !isOld ? undefined : check };
}
