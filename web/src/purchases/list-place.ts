import { useEffect, useEffectEvent, type RefObject } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';

/** Scroll state per filter: how far it was loaded, the card that was opened, and its position on screen. */
type Place = { top: number; left?: { purchaseId: number; at: number } };

/** Lives as long as the lists' cache. */
const places = new Map<string, Place>();

/** Whether the buyer came by the browser's Back or Forward. */
let byHistory = false;
// The router sends the other two. Before its own listeners, which draw the screen; there is no browser where the build draws it.
for (const type of ['popstate', 'pushState', 'replaceState'])
  globalThis.addEventListener?.(type, () => (byHistory = type === 'popstate'), { capture: true });

/** Frames to wait for cards that were never laid out to take their real height. */
const SETTLING_FRAMES = 4;

/** The card that opened a detail: scroll position and focus return to it. */
export function leaveListBy(list: string, purchaseId: number): void {
  const at = cardOf(purchaseId)?.getBoundingClientRect().top ?? 0;
  places.set(list, { top: places.get(list)?.top ?? 0, left: { purchaseId, at } });
}

/**
 * Saves a list's scroll position and restores it on the way back. `pane` is the scroll container; on a phone
 * it is the window. Must run after `useArrival`, which scrolls to the top.
 */
export function useListPlace(list: string, pane: RefObject<HTMLElement | null>): void {
  const isOurs = isBackState(useHistoryState());
  const arrive = useEffectEvent(() => {
    const place = byHistory || isOurs ? places.get(list) : undefined;
    if (place) return returnTo(place, scrollerOf(pane));
    // On a new filter or first visit, start at the top.
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
