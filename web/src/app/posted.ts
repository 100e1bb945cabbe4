import { ApiError } from '@aparta/browser/api-error.ts';
import { readRefusal } from '@aparta/browser/refusal.ts';
import type { PostedForm } from '@aparta/ui/form.tsx';
import * as v from 'valibot';
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

/** What the server put into its page, if it is one. */
export async function readPosted(block: unknown): Promise<PostedHere | undefined> {
  const parsed = v.safeParse(posted, block);
  return parsed.success ? asPosted(parsed.output) : undefined;
}

export async function asPosted({ path, typed, status, retryAfter, body }: Answered): Promise<PostedHere> {
  return {
    path,
    typed,
    error: new ApiError(await readRefusal(status, retryAfter, body, { loadTexts: loadRefusalTexts }), ''),
  };
}
