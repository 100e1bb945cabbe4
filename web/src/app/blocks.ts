import type { PostedForm } from '@aparta/ui/form.tsx';
import * as v from 'valibot';
import { ApiError } from '../api/api-error.ts';
import { refusal } from '../api/refusal.ts';

/** A form that the server answered with its page, because no script had run when it was sent. */
const posted = v.object({
  path: v.string(),
  typed: v.record(v.string(), v.string()),
  status: v.number(),
  retryAfter: v.nullable(v.string()),
  body: v.unknown(),
});
export type Posted = v.InferOutput<typeof posted>;

/** Such a form on this page, if it is one. */
export function postedHere(): Posted | undefined {
  const parsed = v.safeParse(posted, takeBlock('aparta-posted'));
  return parsed.success ? parsed.output : undefined;
}

/** The same as a form starts with it. */
export function asPostedForm({ typed, status, retryAfter, body }: Posted): PostedForm {
  return { typed, error: new ApiError(refusal(status, retryAfter, body), '') };
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
