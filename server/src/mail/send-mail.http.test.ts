import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeBuyer, type MadeBuyer } from '../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../test/shop.ts';
import { transaction } from '../db/transaction.ts';
import { smtp } from '../providers/mail/smtp.ts';
import type { MoneyTopic } from './copy.ts';
import { queueMail } from './outbox.ts';
import { sendMail } from './send-mail.ts';

/** What a hostile buyer calls himself, and what a hostile merchant calls his product. */
const HOSTILE = '<img src=x onerror=alert(1)>\r\nBcc: victim@example.mx\r\n\r\n=cmd|calc \u202Etxt';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly attachments: readonly string[];
}

const inbox = async (): Promise<Mail[]> => (await shop.control('GET /control/mail')).mails;
const outbox = async () => shop.db.selectFrom('outbox').selectAll().orderBy('id').execute();

async function queue(buyer: MadeBuyer, topic: MoneyTopic, facts: Record<string, string | number> = {}) {
  await transaction(shop.db, (tx) =>
    queueMail(tx, {
      topic,
      dedupeKey: 'card:1',
      buyerId: buyer.id,
      facts: {
        amountCentavos: 61_500,
        folio: 'AB12CD34EF',
        purchaseId: 10_007,
        last4: '7669',
        balanceCentavos: 240_000,
        product: HOSTILE,
        ...facts,
      },
    }),
  );
}

/** Runs the job of every letter that waits, as the queue would. */
async function deliver(): Promise<void> {
  for (const { id } of await outbox()) await shop.job.send_mail({ outboxId: id }, shop.jobs.log);
}

const LETTERS: Record<MoneyTopic, { subject: string; says: string[] }> = {
  layaway_paid: {
    subject: 'Recibimos tu apartado de $615.00 MXN',
    says: ['Folio AB12CD34EF.', 'Tu compra es la 10007. En Aparta ves tu plan de pagos'],
  },
  instalment_paid: {
    subject: 'Recibimos tu abono de $615.00 MXN',
    says: ['Folio AB12CD34EF.', 'Te faltan $2,400.00 MXN de tu compra 10007.', 'tus próximos pagos'],
  },
  purchase_cancelled: {
    subject: 'Cancelaste tu compra 10007',
    says: ['Tu compra 10007 quedó cancelada.', 'Te devolvemos $615.00 MXN'],
  },
  cash_owed_back: {
    subject: 'Te debemos $615.00 MXN',
    says: ['Te debemos $615.00 MXN.', 'El comercio te lo entrega.'],
  },
  payment_returned: {
    subject: 'Te devolvemos $615.00 MXN',
    says: ['aprobó un pago de $615.00 MXN que ya no se pudo aplicar', 'la devolución esté hecha'],
  },
  payment_in_review: {
    subject: 'Estamos revisando tu pago',
    says: ['Tu pago de $615.00 MXN quedó en revisión.', 'No vuelvas a pagar'],
  },
  payment_not_charged: {
    subject: 'Tu pago no se cobró',
    says: ['Confirmamos que tu pago de $615.00 MXN no se cobró.'],
  },
  payment_abandoned: {
    subject: 'Tu pago no se completó',
    says: ['Si tu banco llegara a aprobarlo después, lo aplicamos o te lo devolvemos completo.'],
  },
  till_reversed: {
    subject: 'La caja revirtió tu pago de $615.00 MXN',
    says: ['con folio AB12CD34EF de tu compra 10007'],
  },
  store_reversed: {
    subject: 'La tienda revirtió tu pago de $615.00 MXN',
    says: ['de tu compra 10007, así que ya no cuenta.'],
  },
  refund_done: {
    subject: 'Devolución hecha: $615.00 MXN',
    says: ['Devolvimos $615.00 MXN a tu tarjeta terminada en 7669.'],
  },
};

describe('a letter', () => {
  test.each(Object.entries(LETTERS))('%s arrives once and says it in good Spanish', async (topic, letter) => {
    const buyer = await makeBuyer(shop.db, { userName: HOSTILE.slice(0, 80) });
    await queue(buyer, topic as MoneyTopic);
    await queue(buyer, topic as MoneyTopic); // a second observation of the same thing
    expect(await outbox()).toHaveLength(1);
    await deliver();
    await deliver();
    const [mail, ...others] = await inbox();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      subject: letter.subject,
      from: 'no-responder@aparta.test',
      to: [buyer.email],
      html: null,
      attachments: [],
    });
    for (const sentence of letter.says) expect(mail?.text).toContain(sentence);
    expect(mail?.text).toContain(`Aparta: ${shop.settings.publicOrigin}`);
    // The mailbox may be somebody else's: no name, no address, nothing that others could have written.
    for (const word of [
      'Ana',
      '5512345678',
      'victim',
      '<img',
      'Bcc',
      '\u202E',
      'undefined',
      'null',
      buyer.email,
    ]) {
      expect(`${mail?.subject} ${mail?.text}`).not.toContain(word);
    }
    expect(await outbox()).toMatchObject([{ state: 'sent', tries: 1, sent_at: expect.any(Date) }]);
  });

  test('is written by what happened: a paid deposit has one, with the folio of its receipt', async () => {
    const reference = await shop.reference();
    await shop.pay(reference, CARDS.approved);
    await shop.pay(reference, CARDS.approved);
    await deliver();
    const { folio } = await shop.db.selectFrom('receipts').select('folio').executeTakeFirstOrThrow();
    const mails = await inbox();
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [[shop.buyer.email], 'Recibimos tu apartado de $615.00 MXN'],
    ]);
    expect(mails[0]?.text).toContain(folio);
  });

  test('goes to one mailbox, whatever signs an e-mail address may hold', async () => {
    const addresses = [
      "o'hara+aparta@example.mx",
      'a,b@example.mx',
      'a;b@example.mx',
      'x"y@example.mx',
      'a<b@example.mx',
    ];
    const mail = smtp({ url: shop.settings.smtpUrl, from: shop.settings.mailFrom });
    for (const to of addresses)
      await mail.send({ to, subject: to, text: '', id: to.slice(0, 1) }).catch(() => {});
    mail.close();
    const mails = await inbox();
    expect(mails[0]?.to).toEqual([addresses[0]]);
    for (const { to, subject } of mails) {
      expect(to).toHaveLength(1);
      expect(to[0]?.replaceAll(/["\\]/g, '')).toBe(subject.replaceAll('"', ''));
    }
  });

  test('is not written for an address with a line break: the database takes none', async () => {
    await expect(makeBuyer(shop.db, { email: 'a@b.mx\r\nbcc:victim@example.mx' })).rejects.toMatchObject({
      constraint: 'buyers_email_is_normal',
    });
  });
});

describe('when the mail provider is down', () => {
  test('the letter waits, is tried twelve times, and then is left for a person; the money is where it was', async () => {
    const reference = await shop.reference();
    expect((await shop.pay(reference, CARDS.approved)).body.data.applied).toBe(true);
    const [queued] = await outbox();
    const down = {
      ...shop.jobs,
      mail: smtp({ url: 'smtp://127.0.0.1:9', from: shop.settings.mailFrom }),
    };
    for (let tries = 1; tries <= 12; tries += 1) {
      await expect(sendMail(down, queued!.id)).rejects.toThrow('the letter was not taken over');
      expect(await outbox()).toMatchObject([
        { state: tries < 12 ? 'waiting' : 'failed', tries, sent_at: null },
      ]);
    }
    down.mail.close();
    await deliver(); // the provider is back, too late
    expect(await inbox()).toEqual([]);
    expect(
      (await shop.ask(`GET /v1/PullApartReference/${reference.id}`, { token: shop.buyer.token })).body.data
        .Estatus,
    ).toBe(2);
  });

  test('a letter that waited is sent when it is back', async () => {
    await queue(shop.buyer, 'payment_in_review');
    const [queued] = await outbox();
    const mail = smtp({ url: 'smtp://127.0.0.1:9', from: shop.settings.mailFrom });
    await expect(sendMail({ ...shop.jobs, mail }, queued!.id)).rejects.toThrow('not taken over');
    mail.close();
    await deliver();
    expect(await outbox()).toMatchObject([{ state: 'sent', tries: 2 }]);
    expect(await inbox()).toHaveLength(1);
  });

  test('what it says of the address is not passed on', async () => {
    const refusing = await refusingServer();
    const mail = smtp({ url: `smtp://127.0.0.1:${refusing.port}`, from: shop.settings.mailFrom });
    const failure = await mail.send({ to: 'ana.secreta@example.mx', subject: 'x', text: 'x', id: 'x' }).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    mail.close();
    refusing.server.close();
    expect(failure?.message).toBe('the letter was not taken over (EENVELOPE 550)');
    expect(failure?.stack).not.toContain('ana.secreta');
    expect(failure?.cause).toBeUndefined();
  });
});

/** A mail server that knows nobody, and says whom. */
async function refusingServer(): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 ready\r\n');
    socket.on('data', (chunk) => {
      const line = chunk.toString();
      const recipient = /^RCPT TO:<(.*)>/i.exec(line)?.[1];
      if (recipient !== undefined) socket.write(`550 5.1.1 <${recipient}> is unknown here\r\n`);
      else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
      else socket.write('250 ok\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}
