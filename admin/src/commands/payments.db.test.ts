import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { centavos } from '@aparta/domain/money';
import { insertAttempt } from '@aparta/server/payments/cards/store';
import { raiseAlert } from '@aparta/server/platform/alerts';
import { transaction } from '@aparta/server/platform/db/transaction';
import { makeBuyer, makeProduct, makeReference } from '@aparta/server/test/make';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR, type Operator, seatOperator } from '../../test/operator.ts';

let operator: Operator;
let attemptId: string;
beforeAll(async () => {
  operator = await seatOperator();
  attemptId = await heldMoney();
});
afterAll(() => operator.close());

/** A payment that the sweep found and no reference claims. */
async function heldMoney({ db, shop }: Operator = operator): Promise<string> {
  await shop();
  const merchant_id = 1;
  const credential = await db
    .insertInto('provider_credentials')
    .values({
      merchant_id,
      provider: 'clip',
      public_key: 'p',
      secret_ciphertext: Buffer.from('x'),
      secret_key_id: 'k',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await transaction(db, (tx) =>
    insertAttempt(tx, {
      buyerId: null,
      merchantId: merchant_id,
      credentialId: credential.id,
      referenceId: null,
      intentId: null,
      intentHash: null,
      state: 'held',
      principalCentavos: centavos(61_500),
      feeCentavos: centavos(0),
      capturedCentavos: centavos(61_500),
      providerPaymentId: randomUUID(),
      detailCode: 'AP-PAI01',
      sourceAddress: '',
      requestId: '',
    }),
  );
  return id;
}

describe('money that waits for a person', () => {
  test('is listed with the command that goes on, followed, and given back, once and with a reason', async () => {
    const { out: waiting } = await operator.run('payment waiting');
    expect(waiting).toContain('Cobro sin dueño');
    expect(waiting).toContain(`payment return ${attemptId}`);

    const { out: story } = await operator.run(`payment follow --by ${attemptId}`);
    expect(story).toContain(`Dinero sin dueño: ${attemptId}`);
    expect(story).toContain('nace -> detenido, espera a una persona (held) (AP-PAI01)');

    expect(await operator.run(`payment apply ${attemptId} --reason x`)).toMatchObject({
      code: 1,
      err: 'Ya no hay a qué aplicarlo (pagado, cancelado o vencido): solo se devuelve.\n',
    });
    const returned = await operator.run(['payment', 'return', attemptId, '--reason', 'Nadie lo reclama']);
    expect(returned).toMatchObject({ code: 0 });
    expect(returned.out).toContain('$615.00');
    expect(await operator.run(`payment return ${attemptId} --reason x`)).toMatchObject({
      code: 1,
      err: 'Ese pago no está detenido: cobrado, se devuelve completo (returned).\n',
    });
    // Only the provider says what was refunded externally, and without a key we cannot ask.
    expect(await operator.run(['payment', 'external-refund', attemptId, '--reason', 'x'])).toMatchObject({
      code: 1,
      err: 'Clip no dice cuánto ha devuelto de ese pago, y sin eso no se anota nada: la clave del comercio no se abre.\n',
    });
    const [line] = await operator.done(`audit list --subject card_attempt:${attemptId}`);
    expect(line).toMatchObject({
      actor: OPERATOR,
      command: 'payment return',
      detail: { reason: 'Nadie lo reclama', amountCentavos: 61_500 },
    });
  });

  test('is not looked for under what is no id of ours', async () => {
    expect(await operator.run('payment return 7f1c --reason x')).toMatchObject({ code: 2 });
  });

  test('is not handed over in cash while the bank decides a dispute about it, and it is said what to do', async () => {
    const [refund] = await operator.db.selectFrom('refunds').select('id').execute();
    const moved = (to: string, detail: string) =>
      operator.asOwner(`insert into state_history (subject_kind, subject_id, from_state, to_state, detail)
        values ('refund', '${refund?.id}', 'sending', '${to}', '${detail}')`);
    await moved('blocked', 'AI1804');
    const refused = await operator.run(`refund to-cash ${refund?.id} --seen-unpaid`);
    expect(refused).toMatchObject({ code: 1, out: '' });
    for (const command of ['wait', 'retry', 'external-refund'])
      expect(refused.err).toContain(`refund ${command} ${refund?.id}`);
    await moved('owed', 'AI1400');
  });

  test('is handed over in cash where no card takes it back, with evidence', async () => {
    const [refund] = await operator.db.selectFrom('refunds').select('id').execute();
    // Clip cannot be asked whether it went back: somebody looks in its panel.
    expect(await operator.run(`refund to-cash ${refund?.id}`)).toEqual({
      code: 1,
      out: '',
      err: `No se sabe cuánto ha devuelto Clip de ese pago: la clave del comercio no se abre. Búsquelo en su panel: si no está devuelto, repita con --seen-unpaid; si lo está, anótelo: refund external-refund ${refund?.id} --reason "...".\n`,
    });
    const { cashRefundId } = await operator.done(`refund to-cash ${refund?.id} --seen-unpaid`);
    // It was a card's: it may have left in Clip's panel.
    const { out: waiting } = await operator.run('payment waiting');
    expect(waiting).toContain(`o refund external-refund ${cashRefundId} --reason "..."`);
    // Clip took it, and no terminal of the shop's.
    expect(
      await operator.run(`refund paid ${cashRefundId} --by merchant --on terminal --evidence Vale`),
    ).toMatchObject({ code: 1, err: expect.stringContaining('no lo cobró la terminal del comercio') });
    const paid = await operator.run([
      'refund',
      'paid',
      String(cashRefundId),
      '--by',
      'merchant',
      '--evidence',
      'Vale firmado 118',
    ]);
    expect(paid).toMatchObject({ code: 0 });
    const { out: story } = await operator.run(`payment follow --by ${attemptId}`);
    expect(story).toContain('merchant, Vale firmado 118');
    expect(story).toContain(`Operador ${OPERATOR}: refund paid refund:${cashRefundId}`);
    expect(await operator.run('refund bounced 99 --reason x')).toMatchObject({
      code: 1,
      err: 'No hay ninguna devolución 99.\n',
    });
  });
});

/** An operator whose Clip says of every payment what `answer` is set to, with a payment that is held, and its key. */
async function besideClip() {
  const clip: { answer: object | number } = { answer: 500 };
  const server = createServer((_, reply) => {
    reply.statusCode = typeof clip.answer === 'number' ? clip.answer : 200;
    reply.setHeader('content-type', 'application/json').end(JSON.stringify(clip.answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const here = await seatOperator({ CLIP_API_BASE: `http://127.0.0.1:${port}` });
  const id = await heldMoney(here);
  return {
    clip,
    server,
    here,
    id,
    async opensKey() {
      await here.done('key set 1 clip', { input: 'public-key\nsecret-key\n' });
      await here.asOwner(`update provider_credentials old set secret_ciphertext = new.secret_ciphertext,
        secret_key_id = new.secret_key_id from provider_credentials new where new.id <> old.id and new.retired_at is null`);
    },
    /** The payment as Clip has it. */
    async payment(amount_refunded = 0) {
      const { provider_payment_id: paymentId } = await here.db
        .selectFrom('card_attempts')
        .select('provider_payment_id')
        .executeTakeFirstOrThrow();
      return {
        id: paymentId,
        status: 'approved',
        status_detail: { code: 'AP-PAI01', message: '' },
        amount: 615,
        amount_refunded,
        currency: 'MXN',
        external_reference: id,
      };
    },
  };
}

test('a refund that is owed becomes cash only where Clip says that nothing went back in its panel', async () => {
  const { clip, server, here, id, opensKey, payment } = await besideClip();
  await opensKey();
  await here.done(['payment', 'return', id, '--reason', 'Nadie lo reclama']);
  const { id: refundId } = await here.db.selectFrom('refunds').select('id').executeTakeFirstOrThrow();
  clip.answer = await payment(615);
  expect(await here.run(`refund to-cash ${refundId} --seen-unpaid`)).toEqual({
    code: 1,
    out: '',
    err: `Clip ya devolvió $615.00 de ese pago que no están en los libros: con efectivo se pagarían dos veces. Anótelo: refund external-refund ${refundId} --reason "...".\n`,
  });
  clip.answer = 500;
  expect((await here.run(`refund to-cash ${refundId}`)).err).toContain('(status 500)');
  // What may be on its way is not proposed for cash.
  const next = async (detail: string) => {
    await here.asOwner(`update refunds set tries = 1, detail_code = '${detail}' where id = ${refundId}`);
    return (await here.run('payment waiting')).out;
  };
  expect(await next('it did not happen')).not.toContain('refund to-cash');
  expect(await next('AI1400')).toContain('refund to-cash');
  clip.answer = await payment();
  expect(await here.run(`refund to-cash ${refundId} --dry-run`)).toMatchObject({ code: 0 });
  expect(await here.run(`refund to-cash ${refundId}`)).toMatchObject({ code: 0 });
  server.close();
  await here.close();
});

describe('money that left by Clip’s panel', () => {
  test('is rehearsed as a loss before it is booked as one for good', async () => {
    const { clip, server, here, id, opensKey, payment } = await besideClip();
    await opensKey();
    await here.done(['payment', 'return', id, '--reason', 'Nadie lo reclama']);
    const [refund] = await here.db.selectFrom('refunds').select('id').execute();
    clip.answer = await payment();
    const { cashRefundId } = await here.done(`refund to-cash ${refund?.id}`);
    await here.done(['refund', 'paid', String(cashRefundId), '--by', 'merchant', '--evidence', 'Vale 118']);
    const lost = ['payment', 'external-refund', id, '--lost', '--reason', 'El comprador tiene las dos'];
    const losses = async () =>
      (await here.asOwner(`select balance from balances where account = 'dispute_loss'`)).rows;

    clip.answer = 500;
    expect(await here.run([...lost, '--dry-run'])).toMatchObject({
      code: 1,
      err: 'Clip no dice cuánto ha devuelto de ese pago, y sin eso no se anota nada: contestó con un error (status 500).\n',
    });
    clip.answer = await payment(615);
    const rehearsed = await here.run([...lost, '--dry-run']);
    expect(rehearsed).toMatchObject({ code: 0, err: '' });
    expect(rehearsed.out).toMatch(/^ENSAYO: [^\n]+\nAnotado: salieron \$615\.00 por otro camino\.\n/);
    expect(await losses()).toEqual([]);
    expect(await here.run(['payment', 'external-refund', id, '--reason', 'x', '--dry-run'])).toMatchObject({
      code: 1,
    });
    const written = await here.run(lost);
    expect(rehearsed.out).toBe(`${rehearsed.out.split('\n')[0]}\n${written.out}`);
    expect(await losses()).toMatchObject([{ balance: '61500' }]);
    expect(await here.run([...lost, '--dry-run'])).toMatchObject({
      code: 1,
      err: 'Clip no ha devuelto de ese pago nada que no esté ya en los libros.\n',
    });
    const [line] = await here.done(`audit list --subject card_attempt:${id}`);
    expect(line).toMatchObject({
      command: 'payment external-refund',
      detail: { reason: 'El comprador tiene las dos', goneCentavos: 61_500, isLoss: true, taken: ['loss'] },
    });
    server.close();
    await here.close();
  });
});

describe('a payment that Clip is asked about again', () => {
  test('is said to be asked about only where Clip answered; else what stood in the way, and it ends with 1', async () => {
    const { clip, server, here, id, opensKey, payment } = await besideClip();
    const check = async () => {
      await here.asOwner('update card_attempts set polled_at = null');
      return here.run(`payment check ${id}`);
    };
    const now = 'El intento está ahora: detenido, espera a una persona (held).\n';
    const ended = 'El intento está ahora: cobrado, se devuelve completo (returned).\n';
    expect(await check()).toEqual({
      code: 1,
      out: `No se le preguntó a Clip: la clave guardada del comercio no se abre (key list). ${now}`,
      err: '',
    });
    expect(await here.run(`payment check ${id}`)).toEqual({
      code: 1,
      out: `No se le preguntó a Clip: hace un momento ya se le preguntó. Repita en unos segundos. ${now}`,
      err: '',
    });

    await opensKey();
    expect((await check()).out).toBe(
      `No se llegó a Clip, o no dijo nada que sirva (status 500). Intente más tarde. ${now}`,
    );
    clip.answer = 401;
    expect((await check()).out).toBe(`Clip no acepta la clave del comercio (401): vea key check. ${now}`);
    clip.answer = await payment();
    expect(await check()).toEqual({ code: 0, out: `Se le preguntó a Clip y contestó. ${ended}`, err: '' });
    server.close();
    expect(await check()).toEqual({
      code: 1,
      out: `No se llegó a Clip, o no dijo nada que sirva (ECONNREFUSED). Intente más tarde. ${ended}`,
      err: '',
    });
    await here.close();
  });
});

describe('the lists', () => {
  test('say plainly when nothing is there or nothing matches', async () => {
    expect(await operator.run('payment follow --by 11234567890')).toMatchObject({
      code: 1,
      out: 'Nada coincide con eso.\n',
    });
    const { id: buyerId } = await makeBuyer(operator.db, { email: 'nada@example.mx' });
    const elsewhere = await operator.run('payment follow --by nada@example.mx');
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.out).toContain('nada@example.mx tiene cuenta, pero no ha apartado nada');
    expect(await operator.run('payment follow')).toMatchObject({ code: 1 });

    // Each of several is told by what it can be asked for by.
    for (let made = 0; made < 2; made += 1) {
      const productId = await makeProduct(operator.db, { merchantId: 1 });
      await makeReference(operator.db, { buyerId, merchantId: 1, productId });
    }
    const { out } = await operator.run('payment follow --by nada@example.mx');
    const numbers = [...out.matchAll(/Apartado (\d{11}) sin pagar/g)].map(([, number]) => number);
    expect(numbers).toHaveLength(2);
    expect((await operator.run(`payment follow --by ${numbers[1]}`)).out).toContain(
      `Referencia ${numbers[1]}`,
    );
    expect(await operator.run('payment waiting')).toMatchObject({ out: 'Nada espera a una persona.\n' });
  });

  test('send an email again that the mail server did not take, or give it up', async () => {
    const { id } = await operator.db
      .insertInto('outbox')
      .values({
        topic: 'welcome',
        dedupe_key: 'x',
        recipient: 'ana@example.mx',
        facts: '{}',
        state: 'failed',
        tries: 12,
        buyer_id: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { out } = await operator.run('payment waiting');
    expect(out).toContain(`email retry ${id}`);
    expect(await operator.run(`email retry ${id}`)).toMatchObject({ code: 0 });
    expect(await operator.run(`email drop ${id}`)).toMatchObject({ code: 1 });
    expect(await operator.db.selectFrom('outbox').select(['state', 'tries']).execute()).toEqual([
      { state: 'waiting', tries: 0 },
    ]);
  });

  test('send all emails again that were given up while the mail server was away, and no older one', async () => {
    const email = (dedupe_key: string, state: 'failed' | 'sent', at: string) => ({
      topic: 'welcome' as const,
      dedupe_key,
      recipient: 'ana@example.mx',
      facts: '{}',
      buyer_id: null,
      state,
      tries: 12,
      created_at: new Date(at),
      sent_at: state === 'sent' ? new Date(at) : null,
    });
    await operator.db
      .insertInto('outbox')
      .values([
        email('before', 'failed', '2026-11-20T05:59:59Z'),
        email('first', 'failed', '2026-11-20T06:00:00Z'),
        email('second', 'failed', '2026-11-21T18:00:00Z'),
        email('gone', 'sent', '2026-11-21T18:00:00Z'),
      ])
      .execute();
    const { code, out } = await operator.run('email retry-all 2026-11-20');
    expect([code, out]).toEqual([0, 'Correos que salen en unos momentos: 2.\n']);
    const waiting = operator.db.selectFrom('outbox').where('tries', '=', 0).where('dedupe_key', '!=', 'x');
    expect(await waiting.select('dedupe_key').orderBy('dedupe_key').execute()).toEqual([
      { dedupe_key: 'first' },
      { dedupe_key: 'second' },
    ]);
    expect((await operator.run('email retry-all 2026-11-20')).out).toContain('no hay correos');
  });

  test('send no email again whose words or address were forgotten meanwhile', async () => {
    const { id } = await makeBuyer(operator.db);
    await operator.asOwner(`update buyers set erased_at = now() where id = ${id}`);
    const failed = { topic: 'refund_done', facts: '{}', state: 'failed', tries: 12 } as const;
    await operator.db
      .insertInto('outbox')
      .values([
        { ...failed, dedupe_key: 'pruned', recipient: '', buyer_id: null },
        { ...failed, dedupe_key: 'erased', recipient: 'erased-1@erased.invalid', buyer_id: id },
      ])
      .execute();
    expect((await operator.run('email retry-all 2026-11-20')).out).toContain('no hay correos');
  });

  test('let a job run again that gave up, and not one that is gone', async () => {
    const gaveUp = `'deliver_email email:7'`;
    await operator.asOwner(`select enqueue_job('deliver_email', '{}', now(), 'email:7', 1)`);
    await operator.asOwner(`update graphile_worker._private_jobs set attempts = 1 where key = 'email:7'`);
    await raiseAlert(operator.db, 'job_gave_up', 'deliver_email email:7', {});
    expect((await operator.run('payment waiting')).out).toContain(`job retry ${gaveUp}`);
    expect(await operator.run(['job', 'retry', 'deliver_email email:7'])).toMatchObject({ code: 0 });
    const { rows } = await operator.asOwner(
      `select attempts from graphile_worker.jobs where key = 'email:7'`,
    );
    expect(rows).toEqual([{ attempts: 0 }]);
    expect((await operator.run('payment waiting')).out).not.toContain('job retry');
    expect(await operator.run(['job', 'retry', 'deliver_email email:8'])).toMatchObject({ code: 1 });
  });

  test('are told of an alert from outside in its own line, with nothing that controls the terminal', async () => {
    const subject = 'x\r\nALARMA  todo bien\u001b[2K\u202e';
    await raiseAlert(operator.db, 'cash_notice_unknown', subject, { operation: subject });
    for (const command of ['status', 'payment waiting', 'alert list']) {
      const { out } = await operator.run(command);
      expect(out).toContain("cash check 'x ALARMA  todo bien [2K '");
      for (const forged of ['\r', '\u001b', '\u202e', '\nALARMA  todo bien'])
        expect(out).not.toContain(forged);
    }
    await operator.db.deleteFrom('alerts').where('subject', '=', subject).execute();
  });

  test('close an alert once somebody dealt with it', async () => {
    await raiseAlert(operator.db, 'merchant_not_swept', '7', { status: 503 });
    const { out: listed } = await operator.run('alert list');
    expect(listed).toContain(
      'No se pudo leer la lista de Clip (merchant_not_swept 7): una vez\n  {"status":503}\n  Sigue: key check 7',
    );
    const closing = ['alert', 'resolve', 'merchant_not_swept:7', '--reason', 'Clip ya contesta'];
    expect((await operator.run('payment waiting')).out).toContain(
      'key check 7; luego alert resolve merchant_not_swept:7 --reason "..."',
    );
    expect((await operator.run('status')).out).toContain(
      'No se pudo leer la lista de Clip (merchant_not_swept 7)',
    );
    expect(await operator.run(closing)).toMatchObject({ code: 0 });
    expect(await operator.run(closing)).toMatchObject({ code: 1 });
    expect((await operator.run('alert list')).out).not.toContain('merchant_not_swept');
  });
});

describe('the job that should have moved what waits', () => {
  const mine = async (by: string) => {
    const rows: { kind: string; id: string; job: object | null }[] = await operator.done('payment waiting');
    return rows.filter(({ id }) => id.includes(by));
  };
  const queue = (task: string, key: string, at: string) =>
    operator.asOwner(`select enqueue_job('${task}', '{}', now() + interval '${at}', '${key}')`);
  const change = (key: string, set: string) =>
    operator.asOwner(`update graphile_worker._private_jobs set ${set} where key = '${key}'`);

  test('is named with its money, due, overdue, under way, left by a dead server, given up or missing, as the queue has it', async () => {
    const attempt = randomUUID();
    const key = `resolve:${attempt}`;
    await raiseAlert(operator.db, 'attempt_overdue', attempt, {});
    const standing = async () => (await mine(attempt)).map(({ kind, job }) => [kind, job]);
    expect(await standing()).toMatchObject([['alert', { task: null, key, standing: 'missing', tries: 0 }]]);
    expect((await operator.run('payment waiting')).out).toContain(`${key}: no está en la cola`);
    await queue('resolve_attempt', key, '1 hour');
    const task = 'resolve_attempt';
    expect(await standing()).toMatchObject([['alert', { task, key, standing: 'later' }]]);
    await change(key, `run_at = now() - interval '1 minute'`);
    expect(await standing()).toMatchObject([['alert', { standing: 'due' }]]);
    await change(key, `run_at = now() - interval '6 minutes', attempts = 3, last_error = 'no answer'`);
    expect(await standing()).toMatchObject([
      ['alert', { standing: 'overdue', tries: 3, lastError: 'no answer' }],
    ]);
    expect((await operator.run('payment waiting')).out).toMatch(
      /resolve_attempt resolve:\S+: atrasado desde el .*, nadie lo toma \(3 intentos; último error: no answer\)/,
    );
    await change(key, `locked_at = now(), locked_by = 'x'`);
    expect(await standing()).toMatchObject([['alert', { standing: 'running' }]]);
    await change(key, `locked_at = now() - interval '7 minutes'`);
    expect(await standing()).toMatchObject([['alert', { standing: 'left' }]]);
    await change(key, `locked_at = null, locked_by = null, attempts = max_attempts`);
    await raiseAlert(operator.db, 'job_gave_up', `${task} ${key}`, {});
    expect(await standing()).toMatchObject([
      ['alert', { standing: 'gave_up' }],
      ['job_gave_up', { task, key, standing: 'gave_up', lastError: 'no answer' }],
    ]);
  });

  test('is listed by itself where no worker takes it and nothing else waits, with its money and what does the same by hand', async () => {
    const { db } = operator;
    const { id } = await db.selectFrom('refunds').select('id').orderBy('id').executeTakeFirstOrThrow();
    await queue('refund_card', `refund:${id}`, '-10 minutes');
    await queue('expire_references', 'late', '-10 minutes');
    await queue('issue_invoice', 'invoice:77', '-1 minute');
    const [overdue] = await mine(`refund_card refund:${id}`);
    expect(overdue).toMatchObject({
      kind: 'job_overdue',
      amountCentavos: 61_500,
      merchant: expect.any(String),
      job: { task: 'refund_card', standing: 'overdue' },
    });
    expect(await mine('expire_references late')).toHaveLength(1);
    expect(await mine('invoice:77')).toEqual([]);
    expect((await operator.run('payment waiting')).out).toContain(
      `luego payment waiting; si urge: refund check ${id}`,
    );
    // When nothing works any more, the oldest say so.
    for (let many = 0; many < 30; many += 1) await queue('send_push', `push:${many}`, '-7 minutes');
    expect(await mine('send_push push:')).toHaveLength(18);
    await operator.asOwner(`delete from graphile_worker._private_jobs where run_at < now()`);
    expect(await mine('refund_card refund:')).toEqual([]);
  });
});

describe('cash that a person finds to be a deposit', () => {
  /** Cash of which nobody knew whose it is, and the printed number of a layaway of $3,000 with a deposit of $600. */
  async function ticket(): Promise<{ operation: string; reference: string; layawayId: number }> {
    const { db } = operator;
    const buyer = await makeBuyer(db);
    const productId = await makeProduct(db, { merchantId: 1 });
    const layawayId = await makeReference(db, { buyerId: buyer.id, merchantId: 1, productId });
    const operation = randomUUID();
    await db
      .insertInto('cash_notices')
      .values({
        provider: 'tapi',
        operation_id: operation,
        body_hash: Buffer.from(operation),
        cash_reference_id: null,
        status: 'confirmed',
        amount_centavos: centavos(60_000),
        currency: 'MXN',
        paid_at: new Date(),
        outcome: 'unapplied',
      })
      .execute();
    return { operation, reference: `1${layawayId}`, layawayId };
  }
  const reserve = (operation: string, reference: string) => [
    'cash',
    'reserve',
    operation,
    '--reference',
    reference,
    '--reason',
    'Trajo su ticket',
  ];
  const stateOf = async (id: number) => {
    const found = operator.db.selectFrom('layaway_references').select('state').where('id', '=', id);
    return (await found.executeTakeFirstOrThrow()).state;
  };

  test('reserves by the number on the ticket, once, and says so in the log', async () => {
    const { operation, reference, layawayId } = await ticket();
    expect(await operator.run(reserve(operation, '11048277000'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('11048277000'),
    });
    expect(await operator.run(reserve(operation, reference))).toMatchObject({
      code: 0,
      out: 'Apartado con $600.00. Lo que sobre se le debe al comprador.\n',
    });
    expect(await stateOf(layawayId)).toBe('paid');
    expect(await operator.run(reserve(operation, reference))).toMatchObject({ code: 1 });
    const [line] = await operator.done(`audit list --subject cash_notice:${operation}`);
    expect(line).toMatchObject({
      actor: OPERATOR,
      command: 'cash reserve',
      detail: { reference, reason: 'Trajo su ticket', outcome: 'applied', amountCentavos: 60_000 },
    });
    expect(await operator.run(`cash reserve ${operation} --reference ${reference}`)).toMatchObject({
      code: 2,
    });
  });

  test('is owed to the buyer whole where it cannot reserve any more, and listed with how it is handed over', async () => {
    const { operation, reference, layawayId } = await ticket();
    await operator.db
      .updateTable('layaway_references')
      .set({ state: 'cancelled', closed_at: new Date() })
      .where('id', '=', layawayId)
      .execute();
    expect(await operator.run(reserve(operation, reference))).toMatchObject({
      code: 0,
      out: 'No se pudo apartar: se le deben al comprador $600.00.\n',
    });
    expect(await stateOf(layawayId)).toBe('cancelled');
    const owed = await operator.db
      .selectFrom('refunds as f')
      .innerJoin('receipts as r', 'r.id', 'f.receipt_id')
      .where('r.source_id', '=', operation)
      .select(['f.id', 'f.amount_centavos as amount', 'f.method', 'f.state'])
      .execute();
    const id = owed[0]?.id;
    expect(owed).toEqual([{ id, amount: 60_000, method: 'cash', state: 'owed' }]);
    // None of it can have left by a card: what would be refused is not named.
    const { out: waiting } = await operator.run('payment waiting');
    expect(waiting).toContain(
      `refund paid ${id} --by merchant --evidence "..." o en el mostrador: Devoluciones`,
    );
    expect(waiting).not.toContain('external-refund');
    expect(await operator.run(`refund external-refund ${id} --reason x`)).toMatchObject({
      code: 1,
      err: `La devolución ${id} no es a tarjeta.\n`,
    });
  });
});
