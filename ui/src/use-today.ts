import { mexicoCityDate, type DateOnly } from '@aparta/domain/calendar';
import { useSyncExternalStore } from 'react';

/** Timers of a phone that sleeps do not run: it asks again when it is looked at, too. */
const EVERY_MS = 60_000;

/** The day it is in Mexico City, also on a screen that stays open over midnight: an installed app may be open for days. */
export function useToday(): DateOnly {
  return useSyncExternalStore(hear, today, today);
}

const today = () => mexicoCityDate(new Date());

function hear(onChange: () => void): () => void {
  const timer = setInterval(onChange, EVERY_MS);
  document.addEventListener('visibilitychange', onChange);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onChange);
  };
}
