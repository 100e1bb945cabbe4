import { hash, randomInt, randomUUID } from 'node:crypto';

import { showsWork, workText } from '@aparta/domain/work-proof';

import { type Answer, LITTLE_WORK } from './app.ts';
import type { Shop } from './shop.ts';

/** The links of a purchase after its buyer made one more; the newest first. */
export async function makeLink(
  shop: Shop,
  purchaseId: number,
  body: { helpMessage?: string; goal?: number } = {},
  token = shop.buyer.token,
): Promise<any> {
  const answer = await shop.ask(`POST /v1/Sales/HelpLinkAsync/${purchaseId}`, { token, body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.data[0];
}

/** The work that a browser does before a helper's first attempt. */
export function workProof(code: string, intentId: string): string {
  let tries = 0;
  while (!isWork(code, intentId, tries)) tries += 1;
  return String(tries);
}

/** What no browser has worked for: the first try that shows nothing. */
export function noWork(code: string, intentId: string): string {
  let tries = 0;
  while (isWork(code, intentId, tries)) tries += 1;
  return String(tries);
}

const isWork = (code: string, intentId: string, attempt: number) =>
  showsWork(hash('sha256', workText(code, intentId, attempt), 'buffer'), LITTLE_WORK);

/** Asks for a number for stores by a link, as its screen does; `amount` is the total, fee inside. */
export async function helpAtStore(
  shop: Shop,
  code: string,
  given: { amount: number; intentId?: string; name?: string; email?: string; address?: string },
): Promise<Answer> {
  const { intentId = randomUUID(), name = 'Tía Marta', email = 'marta@example.mx' } = given;
  return shop.ask('POST /v1/Help/StoreReferenceAsync', {
    // One address has ten in an hour.
    address: given.address ?? `198.18.${randomInt(256)}.${randomInt(256)}`,
    body: {
      helpCode: code,
      amount: given.amount,
      helperName: name,
      helperEmail: email,
      intentoId: intentId,
      workProof: workProof(code, intentId),
    },
  });
}

/** Pays by a link with a card, as its screen does; `amount` is the total, fee inside. */
export async function help(
  shop: Shop,
  code: string,
  card: string,
  given: {
    amount: number;
    intentId?: string;
    /** Where the work was done before. */
    workProof?: string;
    name?: string;
    email?: string;
    address?: string;
    token?: string;
  },
): Promise<Answer> {
  const { intentId = randomUUID(), name = 'Tía Marta' } = given;
  return shop.ask('POST /v1/Help/PayAsync', {
    ...(given.address === undefined ? {} : { address: given.address }),
    body: {
      helpCode: code,
      amount: given.amount,
      helperName: name,
      helperEmail: given.email ?? 'marta@example.mx',
      payment_method: { token: given.token ?? (await shop.cardToken(card)) },
      intentoId: intentId,
      workProof: given.workProof ?? workProof(code, intentId),
    },
  });
}
