import { getLegalText } from '@aparta/contract/legal';
import { call } from '../api/client.ts';

export type LegalText = { version: string; body: string; publishedAt: Date; isTemplate: boolean };

/** The terms or the privacy notice in force. Refused with NOT_FOUND if none was published. */
export async function legalText(kind: 'terms' | 'privacy', signal?: AbortSignal): Promise<LegalText> {
  const { data } = await call(getLegalText, { params: { kind } }, { signal });
  return { ...data, publishedAt: new Date(data.publishedAt) };
}
