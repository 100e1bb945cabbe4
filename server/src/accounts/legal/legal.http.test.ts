import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { SERVER_FOLDER } from '../../platform/files/server-folder.ts';
import { publishText, type TextToPublish } from './publish-text.ts';
import { legalTextProblems, publishTemplates } from './templates.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const publish = (text: TextToPublish) => transaction(server.db, (tx) => publishText(tx, text));
const read = (kind: string) => server.ask(`GET /v1/Legal/GetAsync/${kind}`);

test('production does not start before its own texts are published; until then a demonstration shows the template', async () => {
  expect(await legalTextProblems(server.db)).toEqual([
    "no legal text of the kind 'terms' is published",
    "no legal text of the kind 'privacy' is published",
  ]);
  expect((await read('terms')).status).toBe(404);
  await publishTemplates(server.db);
  await publishTemplates(server.db); // the next start
  expect(await legalTextProblems(server.db)).toEqual([
    "the legal text 'terms' in force is the template; publish your own",
    "the legal text 'privacy' in force is the template; publish your own",
  ]);
  const { status, headers, body } = await read('privacy');
  expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=60']);
  expect(body.data).toMatchObject({ kind: 'privacy', version: 'plantilla-1', isTemplate: true });
  expect(body.data.body).toMatch(/^# Aviso de privacidad integral\n\n\[Esta es una plantilla/);

  await publish({ kind: 'terms', version: '2026-11', body: 'Nuestros términos.' });
  await publish({ kind: 'privacy', version: '2026-11', body: 'Nuestro aviso.' });
  expect(await legalTextProblems(server.db)).toEqual([]);
});

test('the privacy notice tells buyers what is so of their name, their invoices and their browser', async () => {
  // The spec has the name for reading only.
  const notice = await readFile(new URL('legal/privacy.md', SERVER_FOLDER), 'utf8');
  for (const said of [
    'Tu teléfono, domicilio y datos fiscales los corriges tú en tu perfil.',
    'La factura la descargas en tu cuenta; si confirmaste tu correo, también te llega ahí.',
    'si pides mantenerla, una cookie',
    'lo que ya viste, para leerlo sin internet',
    'un identificador al azar de tu navegador',
  ])
    expect(notice).toContain(said);
});

describe('publishing', () => {
  test('the same words again change nothing; other words under the same version are refused', async () => {
    const text = { kind: 'terms', version: '7', body: '\uFEFF# Uno\r\n\r\nDos.\r\n' } as const;
    const first = await publish(text);
    expect(first).toEqual({ kind: 'published', id: expect.any(Number), isNew: true });
    expect(await publish({ ...text, body: '# Uno\n\nDos.' })).toEqual({ ...first, isNew: false });
    expect(await publish({ ...text, body: '# Uno\n\nTres.' })).toEqual({
      kind: 'refused',
      problem: 'version_taken',
    });
    expect((await read('terms')).body.data.body).toBe('# Uno\n\nDos.');
    const { sha256 } = await server.db
      .selectFrom('legal_texts')
      .select('sha256')
      .where('version', '=', '7')
      .executeTakeFirstOrThrow();
    expect(sha256).toEqual(createHash('sha256').update('# Uno\n\nDos.').digest());
  });

  test('one that was replaced says so instead of seeming to be back, and comes back under a new name', async () => {
    const old = { kind: 'terms', version: '7.1', body: 'De antes.' } as const;
    await publish(old);
    await publish({ ...old, version: '7.2', body: 'Un error.' });
    expect(await publish(old)).toEqual({ kind: 'refused', problem: 'version_replaced' });
    expect((await read('terms')).body.data.body).toBe('Un error.');
    expect(await publish({ ...old, version: '7.3' })).toMatchObject({ kind: 'published', isNew: true });
    expect((await read('terms')).body.data).toMatchObject({ version: '7.3', body: 'De antes.' });
  });

  test.each([
    ['an odd version', { version: 'dos palabras' }, 'bad_version'],
    ['nothing', { body: ' \n' }, 'empty'],
    ['a blank that nobody filled', { body: 'Somos [RAZÓN SOCIAL], tu comercio.' }, 'blanks_left'],
    ['what is not text', { body: 'a\u0000b' }, 'not_plain_text'],
    ['half a sign', { body: 'a\uD800b' }, 'not_plain_text'],
    ['what turns the line round', { body: 'a\u202Eb' }, 'not_plain_text'],
    ['more than a buyer could read', { body: 'a'.repeat(200_001) }, 'too_long'],
  ])('%s is refused, and what is in force stays', async (_what, change, problem) => {
    const before = (await read('terms')).body.data.version;
    expect(await publish({ kind: 'terms', version: '8', body: 'Bien.', ...change })).toEqual({
      kind: 'refused',
      problem,
    });
    expect((await read('terms')).body.data.version).toBe(before);
  });

  test('no wording is ever changed or taken back', async () => {
    const change = server.db.updateTable('legal_texts').set({ body: 'Otra cosa.' }).execute();
    await expect(change).rejects.toThrow('legal_texts is append-only');
    await expect(server.db.deleteFrom('consents').execute()).rejects.toThrow('consents is append-only');
  });
});

describe('who opens an account with the box ticked', () => {
  const ask = (user: string, ticked: object) =>
    server.ask('POST /v1/SecurityBuyer/InsertAsync', {
      body: { user, password: 'una-clave-larga-7', ...ticked },
      headers: { 'user-agent': 'Mozilla/5.0 \u00e9' },
      address: '198.51.100.44',
    });
  const signUp = async (user: string, ticked: object) => {
    const { body } = await ask(user, ticked);
    return server.db
      .selectFrom('consents as consent')
      .innerJoin('legal_texts as text', 'text.id', 'consent.legal_text_id')
      .innerJoin('buyers as buyer', 'buyer.id', 'consent.buyer_id')
      .select(['text.kind', 'text.version', 'source_address', 'user_agent', 'given_at', 'terms_version'])
      .where('buyer_id', '=', body.data.id)
      .orderBy('text.kind')
      .execute();
  };

  test('is kept with the version that stood beside it, the newest of the other text, when and from where', async () => {
    await publish({ kind: 'terms', version: '20', body: 'Los de ese día.' });
    const from = {
      source_address: '198.51.100.44',
      user_agent: 'Mozilla/5.0 ',
      given_at: expect.any(Date),
      terms_version: '20',
    };
    const asShown = [
      { kind: 'privacy', version: '2026-11', ...from },
      { kind: 'terms', version: '20', ...from },
    ];
    expect(await signUp('lee@example.mx', { termsAccepted: true, termsVersion: '20' })).toEqual(asShown);
    // A form that names none.
    expect(await signUp('otro@example.mx', { termsAccepted: true })).toEqual(asShown);
  });

  test('is asked to read the new ones when they came while the form was open, and loses nothing by it', async () => {
    await publish({ kind: 'terms', version: '21', body: 'Los de ahora.' });
    for (const termsVersion of ['20', 'inventada']) {
      const { status, body } = await ask('tarda@example.mx', { termsAccepted: true, termsVersion });
      expect([status, body.code, body.facts]).toEqual([409, 'TERMS_CHANGED', { version: '21' }]);
    }
    const kept = await signUp('tarda@example.mx', { termsAccepted: true, termsVersion: '21' });
    expect(kept.map(({ version, terms_version }) => [version, terms_version])).toEqual([
      ['2026-11', '21'],
      ['21', '21'],
    ]);
  });

  test('and nothing is kept of who left it empty', async () => {
    expect(await signUp('no@example.mx', { termsVersion: '20' })).toEqual([]);
    expect((await ask('no@example.mx', {})).body.code).toBe('EMAIL_TAKEN');
  });
});
