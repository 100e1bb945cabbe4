import { useEffect, useEffectEvent, type RefObject } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** How far down each filter's list was read, and the card it was left by with where on the glass that card was. */
type Place = { top: number; left?: { purchaseId: number; at: number } };

/** As long-lived as the lists' cache. */
const places = new Map<string, Place>();

/** Frames in which cards that were never drawn may still take their true height, and move the others. */
const SETTLING_FRAMES = 4;

/** What our own way back to the list tells it; the browser's says POP. */
export const BACK = { back: true };

/** The card by which the buyer goes to a detail: place and focus return to it. */
export function leaveListBy(list: string, purchaseId: number): void {
  const at = cardOf(purchaseId)?.getBoundingClientRect().top ?? 0;
  places.set(list, { top: places.get(list)?.top ?? 0, left: { purchaseId, at } });
}

/**
 * Keeps the place in a list and returns to it on the way back. `pane` is what scrolls; on a phone the window does. Must
 * run after the screen's arrival, which begins at the top.
 */
export function useListPlace(list: string, pane: RefObject<HTMLElement | null>): void {
  const isPop = useNavigationType() === 'POP';
  const isOurs = isBackState(useLocation().state);
  const arrive = useEffectEvent(() => {
    const place = isPop || isOurs ? places.get(list) : undefined;
    if (place) return returnTo(place, scrollerOf(pane));
    // Another filter, or the way in: from the top.
    places.delete(list);
    scrollerOf(pane).scrollTo(0, 0);
  });
  useEffect(() => {
    arrive();
    const scroller = scrollerOf(pane);
    const onScroll = () => {
      const top = scroller instanceof Window ? scroller.scrollY : scroller.scrollTop;
      places.set(list, { ...places.get(list), top });
    };
    scroller.addEventListener('scroll', onScroll, { passive: true });
    return () => scroller.removeEventListener('scroll', onScroll);
  }, [list, pane]);
}

function returnTo({ top, left }: Place, scroller: HTMLElement | Window): void {
  scroller.scrollTo(0, top);
  if (!left) return;
  const { purchaseId, at } = left;
  cardOf(purchaseId)?.querySelector('a')?.focus({ preventScroll: true });
  let frames = 0;
  const hold = () => {
    const card = cardOf(purchaseId);
    if (!card) return;
    scroller.scrollBy(0, card.getBoundingClientRect().top - at);
    frames += 1;
    if (frames < SETTLING_FRAMES) requestAnimationFrame(hold);
  };
  hold();
}

function cardOf(purchaseId: number): Element | null {
  return document.querySelector(`[data-purchase="${purchaseId}"]`);
}

function scrollerOf(pane: RefObject<HTMLElement | null>): HTMLElement | Window {
  return pane.current ?? window;
}

function isBackState(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'back' in state && state.back === true;
}
