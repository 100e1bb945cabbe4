import { useEffect, useEffectEvent, type RefObject } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** How far down each filter's list was read, and the card it was left by. As long-lived as the lists' cache. */
const places = new Map<string, { top: number; leftBy: number | undefined }>();

/** What our own way back to the list tells it; the browser's says POP. */
export const BACK = { back: true };

/** The card by which the buyer goes to a detail: the focus returns to it. */
export function leaveListBy(list: string, purchaseId: number): void {
  places.set(list, { top: places.get(list)?.top ?? 0, leftBy: purchaseId });
}

/**
 * Keeps the place in a list and returns to it on the way back. `pane` is what scrolls; on a phone the window does. Must
 * run after the screen's arrival, which begins at the top.
 */
export function useListPlace(list: string, pane: RefObject<HTMLElement | null>): void {
  const isBack = useNavigationType() === 'POP' || isBackState(useLocation().state);
  const arrive = useEffectEvent(() => {
    const place = isBack ? places.get(list) : undefined;
    if (!place) return void places.delete(list);
    scrollerOf(pane).scrollTo(0, place.top);
    const card = document.querySelector(`[data-purchase="${place.leftBy}"]`);
    // Heights of cards that were never drawn are guesses: the one that was left is what must be in sight.
    card?.scrollIntoView({ block: 'nearest' });
    card?.querySelector('a')?.focus({ preventScroll: true });
  });
  useEffect(() => {
    arrive();
    const scroller = scrollerOf(pane);
    const onScroll = () => {
      const top = scroller instanceof Window ? scroller.scrollY : scroller.scrollTop;
      places.set(list, { top, leftBy: places.get(list)?.leftBy });
    };
    scroller.addEventListener('scroll', onScroll, { passive: true });
    return () => scroller.removeEventListener('scroll', onScroll);
  }, [list, pane]);
}

function scrollerOf(pane: RefObject<HTMLElement | null>): HTMLElement | Window {
  return pane.current ?? window;
}

function isBackState(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'back' in state && state.back === true;
}
