import type { PostedHere } from './posted.ts';

/** A form that was sent from this page without scripts, if one was. What reads it is not in the first load. */
export async function postedHere(): Promise<PostedHere | undefined> {
  const block = takeBlock('aparta-posted');
  return block === undefined ? undefined : (await import('./posted.ts')).readPosted(block);
}

/** Reads a block of JSON that the server put into this document; undefined where it put none. */
export function readBlock(id: string): unknown {
  const text = document.getElementById(id)?.textContent;
  return text ? JSON.parse(text) : undefined;
}

/** The same once: it may hold a token, and is removed. */
export function takeBlock(id: string): unknown {
  const held = readBlock(id);
  document.getElementById(id)?.remove();
  return held;
}
