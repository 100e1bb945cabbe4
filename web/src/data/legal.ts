import { getLegalText } from '@aparta/contract/legal';
import type { ReplyData } from '@aparta/contract/endpoint';
import * as v from 'valibot';
import { call } from '../api/client.ts';

export type LegalText = { version: string; body: string; publishedAt: Date; isTemplate: boolean };

/** The terms or the privacy notice in force. Refused with NOT_FOUND if none was published. */
export async function legalText(kind: 'terms' | 'privacy', signal?: AbortSignal): Promise<LegalText> {
  const { data } = await call(getLegalText, { params: { kind } }, { signal });
  return asText(data);
}

/** The same of what came with the document; undefined where nothing did, or the other text. */
export function legalTextHere(kind: 'terms' | 'privacy', block: unknown): LegalText | undefined {
  const parsed = v.safeParse(getLegalText.reply, block);
  return parsed.success && parsed.output.data.kind === kind ? asText(parsed.output.data) : undefined;
}

function asText({ publishedAt, ...text }: ReplyData<typeof getLegalText>): LegalText {
  return { ...text, publishedAt: new Date(publishedAt) };
}
