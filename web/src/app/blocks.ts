import type { PostedForm } from '@aparta/ui/form.tsx';
import * as v from 'valibot';
import { ApiError } from '@aparta/browser/api-error.ts';
import { readRefusal } from '@aparta/browser/refusal.ts';
import { loadRefusalTexts } from '../copy/load-refusal-texts.ts';

/** A form that the server answered with its page, because no script had run when it was sent. */
const posted = v.object({
  path: v.string(),
  typed: v.record(v.string(), v.string()),
  status: v.number(),
  retryAfter: v.nullable(v.string()),
  body: v.unknown(),
});
export type Answered = v.InferOutput<typeof posted>;
/** The same as its form starts with it, and the path of its page. */
export type PostedHere = PostedForm & { path: string };

/** Such a form on this page, if it is one. */
export async function postedHere(): Promise<PostedHere | undefined> {
  const parsed = v.safeParse(posted, takeBlock('aparta-posted'));
  return parsed.success ? asPosted(parsed.output) : undefined;
}

export async function asPosted({ path, typed, status, retryAfter, body }: Answered): Promise<PostedHere> {
  return {
    path,
    typed,
    error: new ApiError(await readRefusal(status, retryAfter, body, loadRefusalTexts), ''),
  };
}

/** Reads a block of JSON that the server put into this document, and removes it: it may hold a token. */
export function takeBlock(id: string): unknown {
  const block = document.getElementById(id);
  block?.remove();
  try {
    return JSON.parse(block?.textContent ?? '');
  } catch {
    return undefined;
  }
}
