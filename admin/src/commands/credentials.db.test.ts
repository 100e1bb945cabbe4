import { randomBytes, randomUUID } from 'node:crypto';
import { createPasswords } from '@aparta/server/accounts/credentials/passwords';
import { identify } from '@aparta/server/accounts/identify';
import { signInServiceAccount } from '@aparta/server/accounts/service-accounts/sign-in-service-account';
import { ACCOUNT_LIMITS } from '@aparta/server/accounts/credentials/limits';
import { createLimiter } from '@aparta/server/platform/limiter';
import { insertEndpoint, replaceSecret } from '@aparta/server/back-office/webhooks/endpoint-store';
import { makeSecret } from '@aparta/server/back-office/webhooks/secrets';
import { setCardKeys } from '@aparta/server/payments/card-keys/save-card-keys';
import { transaction } from '@aparta/server/platform/db/transaction';
import { readKeyRing } from '@aparta/server/platform/secrets';
import { readPickup } from '@aparta/server/purchases/hand-over/read-pickup';
import { makeBuyer, makeMerchant, makeProduct } from '@aparta/server/test/make';
import { makePurchase, payPurchase } from '@aparta/server/test/purchases';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Operator, PRODUCTION, seatOperator } from '../../test/operator.ts';

let operator: Operator;
beforeAll(async () => {
  operator = await seatOperator(PRODUCTION);
  await operator.shop();
});
afterAll(() => operator.close());

const HERE = '198.51.100.7';
const passwords = createPasswords();
async function signIn(user: string, password: string, address = HERE): Promise<string | undefined> {
  const deps = { db: operator.db, passwords, limiter: createLimiter(operator.db), limits: ACCOUNT_LIMITS };
  try {
    return await signInServiceAccount(deps, { kind: 'till', user, password, address });
  } catch {
    return undefined;
  }
}

describe('a till account', () => {
  test('lets in the secret that was shown once, and after a loss only the new one, at once', async () => {
    const { secret } = await operator.done('till add norte --chain NORTE --merchants none');
    const token = await signIn('norte', secret);
    expect(await identify(operator.db, token!, HERE)).toMatchObject({ kind: 'till', chain: 'NORTE' });
    const next = await operator.done('till rotate norte');
    expect(await identify(operator.db, token!, HERE)).toBeUndefined();
    expect(await signIn('norte', secret)).toBeUndefined();
    expect(await signIn('norte', next.secret)).toBeDefined();
  });

  test('collects for the merchants that it was given, from its next call on for others', async () => {
    const { secret } = await operator.done('till add reparto --chain REPARTO --merchants 1');
    const token = await signIn('reparto', secret);
    const collectsFor = () => identify(operator.db, token!, HERE);
    expect(await collectsFor()).toMatchObject({ merchantIds: [1] });
    expect((await operator.run('till list')).out).toMatch(/reparto +REPARTO +1 /);
    expect((await operator.run('till assign reparto --merchants 1,99')).err).toContain('99');
    await operator.done('till assign reparto --merchants none');
    expect(await collectsFor()).toMatchObject({ merchantIds: [] });
    expect((await operator.run('till add sin-nadie --chain X')).err).toContain('merchants');
    expect((await operator.run('till add mal --chain X --merchants uno')).err).toContain('uno');
  });

  test('is named as a call can name it: accents as its tills send them, neither nothing nor too much', async () => {
    // As a file name or a PDF holds them: the plain character, then its accent.
    const [user, chain] = ['cajas-peñón', 'PEÑÓN'].map((name) => name.normalize('NFD'));
    const { secret } = await operator.done(['till', 'add', user!, '--chain', chain!, '--merchants', '1']);
    const token = await signIn('cajas-peñón'.normalize('NFC'), secret);
    expect(await identify(operator.db, token ?? '', HERE)).toMatchObject({ chain: 'PEÑÓN'.normalize('NFC') });
    for (const [name, named] of [
      ['', 'X'],
      ['u'.repeat(101), 'X'],
      ['caja-vacia', ''],
      ['caja-larga', 'X'.repeat(61)],
    ] as const) {
      const refused = await operator.run(['till', 'add', name, '--chain', named, '--merchants', '1']);
      expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('caracteres') });
    }
  });

  test('shows no secret in a rehearsal: it would open nothing', async () => {
    const { secret } = await operator.done('till add ensayo --chain ENSAYO --merchants none');
    for (const line of [
      'till rotate ensayo',
      'till add otra --chain X --merchants none',
      'integrator add otro --merchant 1',
    ]) {
      expect(await operator.done(`${line} --dry-run`), line).not.toHaveProperty('secret');
      expect((await operator.run(`${line} --dry-run`)).out, line).toContain(
        'se muestra al hacerlo de verdad',
      );
    }
    expect(await signIn('ensayo', secret)).toBeDefined();
  });

  test('lets both secrets in until the day that was said, and the old one and its sessions no longer', async () => {
    const { secret: old } = await operator.done('till add sur --chain SUR --merchants none');
    const before = await signIn('sur', old);
    const { secret } = await operator.done('till rotate sur --until 2999-12-31');
    const between = await signIn('sur', old);
    const after = await signIn('sur', secret);
    expect([between, after]).not.toContain(undefined);

    // The day comes: its moment is moved to the past, with the end of the sessions that depend on it.
    await operator.asOwner(
      `update service_accounts set previous_until = app_now() - interval '1 second' where user_name = 'sur'`,
    );
    expect(await signIn('sur', old)).toBeUndefined();
    expect(await signIn('sur', secret)).toBeDefined();
    const ends = await operator.db.selectFrom('service_account_sessions').select('expires_at').execute();
    expect(ends.every(({ expires_at }) => expires_at < new Date(Date.now() + 13 * 3_600_000))).toBe(true);
    expect(await identify(operator.db, before!, HERE)).toBeDefined();
  });

  test('opened with the old secret ends with it, not twelve hours after its opening', async () => {
    const { secret: old } = await operator.done('till add este --chain ESTE --merchants none');
    const before = await signIn('este', old);
    await operator.done('till rotate este --until 2999-12-31');
    await operator.asOwner(
      `update service_accounts set previous_until = app_now() + interval '1 hour' where user_name = 'este'`,
    );
    const between = await signIn('este', old);
    const { rows } = await operator.asOwner(
      `select extract(epoch from s.expires_at - c.previous_until)::int as late from service_account_sessions s
         join service_accounts c on c.id = s.service_account_id where c.user_name = 'este' order by s.created_at`,
    );
    expect(before && between).toBeDefined();
    expect(rows[1]).toEqual({ late: 0 });
  });

  test('is changed once when two operators change it at once, and nobody is locked out untold', async () => {
    await operator.done('till add oeste --chain OESTE --merchants none');
    const both = await Promise.all([
      operator.run('till rotate oeste --until 2999-12-31'),
      operator.run('till rotate oeste --until 2999-12-31'),
    ]);
    expect(both.map(({ code }) => code).toSorted()).toEqual([0, 1]);
    expect(both.find(({ code }) => code === 1)?.err).toContain('La clave anterior de oeste todavía sirve');
    expect((await operator.run('till rotate oeste --until 2020-01-01')).err).toContain('Esa fecha ya pasó');
  });

  test('that has a list of addresses signs in and calls from them alone, and its secret elsewhere raises an alert', async () => {
    const { secret } = await operator.done('till add lista --chain LISTA --merchants none');
    const before = await signIn('lista', secret, '203.0.113.9');
    await operator.done('till edit lista --addresses 198.51.100.0/24,2001:db8::/32');
    expect(await identify(operator.db, before!, '203.0.113.9')).toBeUndefined();
    expect(await signIn('lista', secret, '203.0.113.9')).toBeUndefined();
    expect(await identify(operator.db, before!, HERE)).toMatchObject({ chain: 'LISTA' });
    expect(await signIn('lista', secret)).toBeDefined();
    const { rows } = await operator.asOwner(
      `select detail, times from alerts where kind = 'service_account_elsewhere'`,
    );
    expect(rows).toEqual([{ detail: { address: '203.0.113.9' }, times: 2 }]);

    expect((await operator.run('till edit lista --addresses 198.51.100.0/40')).err).toContain(
      'No es una dirección',
    );
    await operator.done('till edit lista --addresses none');
    expect(await signIn('lista', secret, '203.0.113.9')).toBeDefined();
  });

  test('that is revoked is over, with its sessions, and its name is not given again', async () => {
    const { secret } = await operator.done('till add fin --chain FIN --merchants none');
    const token = await signIn('fin', secret);
    await operator.done('till revoke fin');
    expect(await identify(operator.db, token!, HERE)).toBeUndefined();
    expect(await signIn('fin', secret)).toBeUndefined();
    expect((await operator.run('till rotate fin')).err).toContain('No hay ninguna cuenta fin');
    expect((await operator.run('till add fin --chain FIN --merchants none')).err).toContain(
      'Ya hay una cuenta con el nombre fin',
    );
    expect((await operator.run('integrator add erp --merchant 99')).err).toContain(
      'No hay ningún comercio 99',
    );
    expect(await operator.done('integrator add erp --merchant 1')).toMatchObject({ merchant: 1 });
  });
});

describe("a merchant's card key", () => {
  const SECRET = 'canary-secret-of-the-merchant';

  test('is read from standard input, kept sealed, and never seen again', async () => {
    expect(await operator.done('key set 1 clip', { input: `pk-one-1234\n${SECRET}-1\n` })).toEqual({
      publicKey: 'pk-one-1234',
      retired: null,
    });
    await operator.done('key set 1 clip --public pk-two-1234', { input: `${SECRET}-2\n` });
    expect(await operator.done('key list')).toMatchObject([
      { publicKey: 'pk-two-1234', retiredAt: null },
      { publicKey: 'pk-one-1234', retiredAt: expect.any(String) },
    ]);
    const again = await operator.run('key set 1 clip --public pk-two-1234', { input: `${SECRET}-2\n` });
    expect(again.err).toContain('ya está así');

    const { rows } = await operator.asOwner(
      'select (select json_agg(a)::text from audit_log a) || (select json_agg(c)::text from provider_credentials c) as text',
    );
    for (const text of [operator.heard(), String(rows[0].text)]) expect(text).not.toContain('canary-secret');
  });

  test.each([
    ['test_abcdefgh\n', 'Es una clave de prueba'],
    ['pk-three-12\n', 'Falta la clave pública o la secreta'],
    ['', 'Falta la clave pública o la secreta'],
    ['pk-three-12\nwith a blank\n', 'Falta la clave pública o la secreta'],
  ])('%j is refused in production', async (input, says) => {
    expect(await operator.run('key set 1 clip', { input })).toMatchObject({
      code: 1,
      err: expect.stringContaining(says),
    });
  });

  test('that cannot be checked says what keeps it', async () => {
    const checked = await operator.run('key check 1');
    expect(checked.code).toBe(1);
    expect(checked.out).toContain('no se llegó a Clip');
    await operator.shop();
    expect((await operator.run('key check 2')).out).toContain('no tiene clave');
  });
});

test('an operator who encrypts again takes the old key away, and whatever it had sealed opens as before', async () => {
  const next = `8:${randomBytes(32).toString('base64')}`;
  const both = `${next},${PRODUCTION.SECRETS_KEY}`;
  const rotating = await seatOperator({ ...PRODUCTION, SECRETS_KEY: both });
  onTestFinished(() => rotating.close());
  const { db } = rotating;
  const keyRing = readKeyRing(PRODUCTION.SECRETS_KEY);
  const buyerId = (await makeBuyer(db)).id;
  const merchantId = await makeMerchant(db);
  await transaction(db, async (tx) => {
    const pair = { publicKey: 'pk-old-1234', secret: 'its-secret' };
    await setCardKeys({ keyRing, allowTestKeys: false }, tx, merchantId, pair);
    const id = randomUUID();
    const { sealed } = makeSecret(keyRing, { merchantId, endpointId: id });
    await insertEndpoint(tx, { id, merchantId, url: 'https://shop.example', sealed });
    await replaceSecret(tx, { id, merchantId, sealed });
  });
  const productId = await makeProduct(db, { merchantId });
  const { id } = await makePurchase(db, { buyerId, merchantId, productId });
  await payPurchase(db, id, 240_000);
  const { code } = await readPickup({ db, keyRing }, buyerId, id);

  expect(await rotating.done('key reencrypt')).toMatchObject({ webhooks: 1, pickups: 1, unopened: 0 });
  expect(await rotating.done('key reencrypt')).toMatchObject({ resealed: 0, webhooks: 0, pickups: 0 });

  // Every sealed column there is: a new one fails here until the command and this test know it.
  const { rows: columns } = await rotating.asOwner(
    `select table_name as of, column_name as sealed, replace(column_name, 'ciphertext', 'key_id') as key
     from information_schema.columns where table_schema = 'public' and column_name like '%ciphertext'`,
  );
  expect(columns.length).toBeGreaterThan(3);
  for (const { of, sealed, key } of columns) {
    const keys = await rotating.asOwner(
      `select distinct ${key} as key from ${of} where ${sealed} is not null`,
    );
    expect(keys.rows, `${of}.${sealed}`).toEqual([{ key: '8' }]);
  }
  const alone = { db, keyRing: readKeyRing(next) };
  expect((await readPickup(alone, buyerId, id)).code).toEqual(code);
});
