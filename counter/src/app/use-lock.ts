import { useEffect } from 'react';
import { keepAlive, signOut } from '../data/sessions.ts';
import { device, useEnrolled } from '../session/device.ts';
import { useSession } from '../session/session.ts';

/** A shared phone asks for the PIN again after this long without a touch. */
const REST_MS = 2 * 60_000;
/** A touch is told to the server no more often. */
const STEP_MS = 30_000;

/**
 * Locks a shared device that nobody touches, however they signed in: its session ends, and the screen stays where it was for whoever
 * comes back.
 */
export function useLock(): void {
  const session = useSession();
  const isEnrolled = useEnrolled();
  const locks = session !== undefined && (session.isShared || isEnrolled);
  useEffect(() => {
    if (!locks) return;
    let toldAt = Date.now();
    const lockIfRested = () => {
      if (Date.now() - device.touchedAt() >= REST_MS) signOut();
    };
    const touched = () => {
      lockIfRested();
      device.touch();
      if (Date.now() - toldAt < STEP_MS) return;
      toldAt = Date.now();
      keepAlive();
    };
    lockIfRested();
    const timer = setInterval(lockIfRested, 5_000);
    // In the pocket timers stand still.
    document.addEventListener('visibilitychange', lockIfRested);
    addEventListener('pointerdown', touched);
    addEventListener('keydown', touched);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', lockIfRested);
      removeEventListener('pointerdown', touched);
      removeEventListener('keydown', touched);
    };
  }, [locks]);
}
