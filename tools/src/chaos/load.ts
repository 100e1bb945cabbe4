import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Dice, dice, oneOf } from '@aparta/server/test/dice';
import { dueOf, paymentOf } from './seen.read-model.ts';
import { CARD_KEYS, CHAIN, type World } from './world.ts';

/** What somebody was told, each time. */
export interface Heard {
  readonly kind: 'card' | 'till' | 'reversal';
  /** The buyer's intent, or the till's operation. */
  readonly id: string;
  /** A payment's state, a till's error, a refusal's code, or `cut`. */
  readonly said: string;
  /** The receipt's number that a till printed. */
  readonly authorisation?: string;
}

/** Everything that was seen from outside. */
export interface Seen {
  readonly heard: Heard[];
  /** Operations that stores gave a slip for. */
  readonly slips: string[];
  /** How often each answer came: a status, with its code where it is no success; or `cut`. */
  readonly answers: Record<string, number>;
  /** Answers that came later than is promised. */
  readonly late: string[];
  readonly tookMs: number[];
}

const CARDS = [
  '4555128482797669', // approved
  '4555128482797669',
  '4000001001000009', // asks the bank
  '4000002001000007', // charged, reply lost
  '4000002002000006', // reply lost, nothing charged
  '4555126387272952', // refused
] as const;
/** What a store's notice may come to. */
const STORE_NOTICES = [{}, { drop: true }, { copies: 3 }] as const;
const CARD_PATH = '/v1/Clib/CreatePaymentsAsync';
/** What the server promises for a call, with what a busy machine adds. */
const LIMIT_MS = { card: 50_000, cash: 30_000, other: 15_000 };
const GRACE_MS = 5_000;
/** A till's errors after which it asks again: nobody knows yet, and nothing was booked. */
export const ASK_AGAIN: readonly string[] = ['99', '11'];
export const OPEN = ['submitting', 'pending_3ds', 'unknown'];
const PATIENCE_MS = 25_000;

interface Actor {
  id: number;
  token: string;
  readonly branch: string;
  readonly roll: Dice;
}
interface Answer {
  readonly status: number;
  readonly body: any;
}

/** How long after the blows somebody must have paid at last. */
const RECOVERY_MS = 30_000;

/** So many buyers at a time use the product for `ms`, and on until one has paid. */
export async function live(
  world: World,
  { seed, ms, buyers }: { seed: number; ms: number; buyers: number },
): Promise<Seen> {
  let until = Date.now() + ms;
  const latest = until + RECOVERY_MS;
  const seen: Seen = { heard: [], slips: [], answers: {}, late: [], tookMs: [] };
  const { merchantId, productIds, tillToken, newcomer } = world.shop;

  /** One call to one of the servers; undefined when its connection ended without an answer. */
  async function ask(actor: Actor, line: string, token: string, body?: object): Promise<Answer | undefined> {
    const [method = 'GET', path = '/'] = line.split(' ');
    const server = oneOf(actor.roll, world.servers);
    const limitMs =
      path === CARD_PATH ? LIMIT_MS.card : path.includes('/Tapi/') ? LIMIT_MS.cash : LIMIT_MS.other;
    const startedAt = performance.now();
    const { lives } = server;
    let answer: Answer | undefined;
    try {
      const reply = await fetch(server.origin + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(75_000),
      });
      answer = { status: reply.status, body: await reply.json() };
      if (server.lives === lives) server.hasServed = true;
    } catch {
      // Nobody took the call, or the one who took it is gone.
    }
    const ms = performance.now() - startedAt;
    const code =
      answer === undefined || answer.status === 200 ? '' : ` ${answer.body.code ?? answer.body.error ?? ''}`;
    const name = answer === undefined ? 'cut' : `${answer.status}${code}`;
    seen.answers[name] = (seen.answers[name] ?? 0) + 1;
    if (answer !== undefined) seen.tookMs.push(ms);
    if (ms > limitMs + GRACE_MS) seen.late.push(`${line}: ${name} after ${Math.round(ms)} ms`);
    return answer;
  }

  /** Asks again, the same, until it is answered by something else than our trouble, or patience ends. */
  async function insist(
    actor: Actor,
    line: string,
    token: string,
    body: object,
    hear: (answer: Answer | undefined) => void = () => {},
  ): Promise<Answer | undefined> {
    for (const end = Date.now() + PATIENCE_MS; ;) {
      const answer = await ask(actor, line, token, body);
      hear(answer);
      if (answer !== undefined && answer.status < 500) return answer;
      if (Date.now() > Math.min(end, until + 2_000)) return undefined;
      await pause(100 + actor.roll(400));
    }
  }

  async function payByCard(actor: Actor, reference: any): Promise<void> {
    const intentoId = randomUUID();
    const apiKey = CARD_KEYS.publicKey;
    const made = await world.control('POST', 'tokens', { number: oneOf(actor.roll, CARDS), apiKey });
    const body = {
      amount: reference.cardTotal,
      currency: 'MXN',
      payment_method: { token: made.id },
      apartaBusinnessId: reference.businessId,
      referencia: reference.paymentReference,
      intentoId,
    };
    let said = '';
    const hear = (answer: Answer | undefined) => {
      said = answer === undefined ? 'cut' : answer.status === 200 ? answer.body.data.state : answer.body.code;
      seen.heard.push({ kind: 'card', id: intentoId, said });
    };
    await insist(actor, `POST ${CARD_PATH}`, actor.token, body, hear);
    for (let polls = 4; OPEN.includes(said) && polls > 0; polls -= 1) {
      if (said === 'pending_3ds' && actor.roll(3) > 0) await answerBank(actor, intentoId);
      await pause(300 + actor.roll(1_200));
      const answer = await ask(actor, `GET /v1/Clib/GetAttemptAsync/${intentoId}`, actor.token);
      if (answer !== undefined && answer.status < 500) hear(answer);
    }
  }

  async function answerBank(actor: Actor, intentId: string): Promise<void> {
    const id = await paymentOf(world.database.url, intentId);
    if (id === undefined) return;
    await fetch(`${world.sandbox.threeDsOrigin}/challenge/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: world.sandbox.threeDsOrigin },
      body: JSON.stringify({ answer: actor.roll(4) === 0 ? 'reject' : 'approve' }),
    }).catch(() => undefined);
  }

  async function payAtTill(actor: Actor, reference: any): Promise<void> {
    const key = { compañia: CHAIN, sucursal: actor.branch, idtransaccion: randomUUID() };
    const sale = { ...key, referencia: reference.paymentReference, importe: reference.deposit };
    const said = await atTill(actor, 'till', 'OnLayaway', sale);
    if (said === '0' && actor.roll(4) === 0) await atTill(actor, 'reversal', 'reverse', key);
  }

  /** Asks until nobody says any more to ask again, or the cashier has had enough. */
  async function atTill(
    actor: Actor,
    kind: 'till' | 'reversal',
    operation: string,
    body: { readonly idtransaccion: string },
  ): Promise<string> {
    let said = '';
    const hear = (answer: Answer | undefined) => {
      said = answer === undefined ? 'cut' : String(answer.body.error);
      const authorisation: string = answer?.body.autorizacion ?? '';
      seen.heard.push({ kind, id: body.idtransaccion, said, authorisation });
    };
    for (let tries = 1 + actor.roll(20); tries > 0 && Date.now() < until + 2_000; tries -= 1) {
      await insist(actor, `POST /PosOperations/${operation}`, tillToken, body, hear);
      if (!ASK_AGAIN.includes(said)) break;
      await pause(200 + actor.roll(400));
    }
    return said;
  }

  async function payInStore(actor: Actor): Promise<void> {
    const due = await dueOf(world.database.url, actor.id);
    if (due === undefined) return;
    const answer = await insist(actor, 'POST /v1/Tapi/GenerateReference', actor.token, {
      generationData: [{ identifierValue: due }],
    });
    const reference = answer?.body.data?.references[0].value;
    if (reference === undefined) return;
    const { operationId } = await world.control('POST', 'cash/pay', {
      reference,
      notice: oneOf(actor.roll, STORE_NOTICES),
    });
    seen.slips.push(operationId);
  }

  function goesOn(): boolean {
    const isPaid = ({ kind, said }: Heard) => said === (kind === 'card' ? 'applied' : '0');
    if (Date.now() >= until && Date.now() < latest && !seen.heard.some(isPaid)) until = Date.now() + 1_000;
    return Date.now() < until;
  }

  async function lead(actor: Actor): Promise<void> {
    while (goesOn()) {
      const answer = await insist(actor, 'POST /v1/PullApartReference', actor.token, {
        Referencia: `1|${merchantId}|${oneOf(actor.roll, productIds)}|0||||0`,
        repeat: true,
      });
      // Nobody reserves without end: another buyer comes.
      if (answer?.body.code === 'TOO_MANY') Object.assign(actor, await newcomer());
      const reference = answer?.body.data ?? undefined;
      if (reference !== undefined && Date.now() < until)
        await (actor.roll(3) === 0 ? payAtTill(actor, reference) : payByCard(actor, reference));
      if (actor.roll(2) === 0 && Date.now() < until) await payInStore(actor);
      await ask(actor, `GET /v1/Cxc/ByBuyerIdH/${actor.id}`, actor.token);
      await pause(actor.roll(300));
    }
  }

  await Promise.all(
    Array.from({ length: buyers }, async (_, n) =>
      lead({ ...(await newcomer()), branch: String(n), roll: dice(seed + n) }),
    ),
  );
  return seen;
}
