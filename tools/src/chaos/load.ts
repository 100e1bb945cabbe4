import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { MERCHANTS, TILL } from '../../demo/shops.ts';
import { type Dice, dice, oneOf } from './dice.ts';
import { dueOf, paymentOf } from './seen.read-model.ts';
import type { World } from './world.ts';

/** What somebody was told, each time. */
interface Heard {
  readonly kind: 'card' | 'till';
  /** The buyer's intent, or the till's operation. */
  readonly id: string;
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
const PRODUCTS = [1, 2, 3, 4, 5] as const;
const CARD_PATH = '/v1/Clib/CreatePaymentsAsync';
/** What the server promises for a call, with what a busy machine adds. */
const LIMIT_MS = { card: 50_000, cash: 30_000, other: 15_000 };
const GRACE_MS = 5_000;
/** A till's errors after which it asks again: nobody knows yet, and nothing was done. */
export const ASK_AGAIN: readonly number[] = [99, 11];
const OPEN = ['submitting', 'pending_3ds', 'unknown'];
const PATIENCE_MS = 25_000;

interface Actor {
  readonly id: number;
  readonly token: string;
  readonly branch: string;
  readonly roll: Dice;
}
interface Answer {
  readonly status: number;
  readonly body: any;
}

/** Everybody who uses the product, until `until`. */
export async function live(world: World, { seed, until }: { seed: number; until: number }): Promise<Seen> {
  const seen: Seen = { heard: [], slips: [], answers: {}, late: [], tookMs: [] };
  let tillToken: string | undefined;

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
    body?: object,
  ): Promise<Answer | undefined> {
    for (const end = Date.now() + PATIENCE_MS; ;) {
      const answer = await ask(actor, line, token, body);
      if (answer !== undefined && answer.status < 500 && answer.status !== 429) return answer;
      if (Date.now() > Math.min(end, until + 2_000)) return undefined;
      await pause(100 + actor.roll(400));
    }
  }

  async function payByCard(actor: Actor, reference: any): Promise<void> {
    const intentoId = randomUUID();
    const apiKey = MERCHANTS[0]?.cardKeys?.publicKey;
    const made = await world.control('POST', 'tokens', { number: oneOf(actor.roll, CARDS), apiKey });
    const body = {
      amount: reference.cardTotal,
      currency: 'MXN',
      payment_method: { token: made.id },
      apartaBusinnessId: reference.businessId,
      referencia: reference.paymentReference,
      intentoId,
    };
    let state = '';
    const hear = (answer: Answer | undefined) => {
      if (answer === undefined || answer.status >= 500) return;
      state = answer.status === 200 ? answer.body.data.state : `refused ${answer.body.code}`;
      seen.heard.push({ kind: 'card', id: intentoId, said: state });
    };
    hear(await insist(actor, `POST ${CARD_PATH}`, actor.token, body));
    for (let polls = 4; OPEN.includes(state) && polls > 0; polls -= 1) {
      if (state === 'pending_3ds' && actor.roll(3) > 0) await answerBank(actor, intentoId);
      await pause(300 + actor.roll(1_200));
      hear(await ask(actor, `GET /v1/Clib/GetAttemptAsync/${intentoId}`, actor.token));
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
    if (tillToken === undefined) {
      const credentials = { User: TILL.userName, Password: TILL.password };
      tillToken = (await ask(actor, 'POST /User/authenticate', '', credentials))?.body.token;
      if (tillToken === undefined) return;
    }
    const idtransaccion = randomUUID();
    const body = {
      compañia: TILL.chain,
      sucursal: actor.branch,
      idtransaccion,
      referencia: reference.paymentReference,
      importe: reference.deposit,
    };
    for (let tries = 1 + actor.roll(20); tries > 0 && Date.now() < until + 2_000; tries -= 1) {
      const answer = await insist(actor, 'POST /PosOperations/OnLayaway', tillToken, body);
      if (answer?.status !== 200) return;
      const { error, autorizacion } = answer.body;
      seen.heard.push({ kind: 'till', id: idtransaccion, said: String(error), authorisation: autorizacion });
      if (!ASK_AGAIN.includes(error)) return;
      await pause(200 + actor.roll(400));
    }
  }

  async function payInStore(actor: Actor): Promise<void> {
    const due = await dueOf(world.database.url, actor.id);
    if (due === undefined) return;
    const answer = await insist(actor, 'POST /v1/Tapi/GenerateReference', actor.token, {
      generationData: [{ identifierValue: due }],
    });
    const reference = answer?.body.data?.references[0].value;
    if (reference === undefined) return;
    const { operationId } = await world.control('POST', 'cash/pay', { reference });
    seen.slips.push(operationId);
  }

  async function lead(actor: Actor): Promise<void> {
    while (Date.now() < until) {
      const answer = await insist(actor, 'POST /v1/PullApartReference', actor.token, {
        Referencia: `1|1|${oneOf(actor.roll, PRODUCTS)}|0||||0`,
        repeat: true,
      });
      const reference = answer?.body.data;
      if (reference !== undefined && Date.now() < until)
        await (actor.roll(3) === 0 ? payAtTill(actor, reference) : payByCard(actor, reference));
      if (actor.roll(3) === 0 && Date.now() < until) await payInStore(actor);
      await ask(actor, `GET /v1/Cxc/ByBuyerIdH/${actor.id}`, actor.token);
      await pause(actor.roll(300));
    }
  }

  await Promise.all(
    world.buyers.map(({ id, token }, n) => lead({ id, token, branch: String(n), roll: dice(seed + n) })),
  );
  return seen;
}
