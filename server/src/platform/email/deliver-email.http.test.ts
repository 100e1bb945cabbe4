import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { addDays, formatDate, formatDateLong, mexicoCityDate } from '@aparta/domain/calendar';
import { inGroups } from '@aparta/domain/in-groups';
import { centavos } from '@aparta/domain/money';
import { answer3ds } from '../../../test/card-acts.ts';
import { makeBuyer, makeProduct, makeStaff, type MadeBuyer } from '../../../test/make.ts';
import { makePurchase, payPurchase } from '../../../test/purchases.ts';
import { deliverEmails } from '../../../test/mailbox.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { buy, openTill } from '../../../test/store-acts.ts';
import { endLatePlans } from '../../purchases/ending/end-late-plans.ts';
import { giveMoreTime } from '../../purchases/ending/give-more-time.ts';
import { openDb } from '../db/db.ts';
import type { EmailTopic } from '../db/tables.ts';
import { transaction } from '../db/transaction.ts';
import { createLog } from '../logging.ts';
import type { Staff } from '../principal.ts';
import { smtp } from './smtp.ts';
import { type AddressedTopic, sendEmail, sendEmailTo } from './outbox.ts';
import { deliverEmail } from './deliver-email.ts';

/** What a hostile buyer calls themselves, and a hostile merchant their product. */
const HOSTILE = '<img src=x onerror=alert(1)>\r\nBcc: victim@example.mx\r\n\r\n=cmd|calc \u202Etxt';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

interface Email {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly string[];
}

const SIGNS: Readonly<Record<string, string>> = {
  '&#38;': '&',
  '&#60;': '<',
  '&#62;': '>',
  '&#34;': '"',
  '&#39;': "'",
};

/** What a reader sees of an email's HTML. */
const seen = ({ html }: Email): string =>
  html
    .replace(/^[^]*<\/head>/, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#\d+;|&nbsp;/g, (sign) => SIGNS[sign] ?? ' ')
    .replaceAll(/\s+/g, ' ');

/** Both forms say the same, and hold nothing that loads, runs, or leads elsewhere. */
function expectGood(email: Email | undefined, says: readonly string[]): void {
  if (email === undefined) throw new Error('no email came');
  for (const sentence of says) {
    expect(email.text).toContain(sentence);
    expect(seen(email)).toContain(sentence);
  }
  for (const [tag] of email.html.matchAll(/<[^>]*>/g)) {
    expect(tag).not.toMatch(/^<(img|script|iframe|form|link|object|svg)|\son\w+=|\ssrc=|url\(|javascript:/i);
  }
  const links = [...email.html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) expect(`${link}/`).toMatch(`${shop.settings.publicOrigin}/`);
  expect(`${email.subject}${email.text}${seen(email)}`).not.toMatch(
    /undefined|null|\bNaN\b|\[object|[\u202a-\u202e]/,
  );
}

const inbox = async ({ email }: { email: string }): Promise<Email[]> =>
  (await shop.control('GET /control/emails')).emails.filter(({ to }: Email) => to.includes(email));
const outbox = async ({ id }: { id: number }) =>
  shop.db.selectFrom('outbox').selectAll().where('buyer_id', '=', id).orderBy('id').execute();

async function queue(buyer: MadeBuyer, topic: EmailTopic, facts: Record<string, string | number> = {}) {
  await transaction(shop.db, (tx) =>
    sendEmail(tx, {
      topic,
      dedupeKey: `card:${buyer.id}`,
      buyerId: buyer.id,
      facts: {
        amountCentavos: 61_500,
        folio: 'AB12CD34EF',
        purchaseId: 10_007,
        last4: '7669',
        balanceCentavos: 240_000,
        paidCentavos: 83_000,
        penaltyCentavos: 20_000,
        feeKeptCentavos: 1_500,
        product: HOSTILE,
        number: 2,
        purchases: 3,
        dueOn: '2031-06-05',
        endsOn: '2031-07-20',
        toDay: '2031-06-12',
        field: 'name',
        ...facts,
      },
    }),
  );
}

/** A purchase whose second payment has been late for 40 days, at a shop whose rule ends plans after 30. */
async function makeLate(): Promise<{ buyer: MadeBuyer; id: number }> {
  const { merchantId } = shop;
  await shop.db.updateTable('merchants').set({ end_days_late: 30 }).where('id', '=', merchantId).execute();
  const past = openDb({ url: shop.ownerUrl, role: 'none', max: 1, clockOffset: '-70 days' });
  try {
    const buyer = await makeBuyer(shop.db);
    const productId = await makeProduct(shop.db, { merchantId });
    const { id } = await makePurchase(past, { buyerId: buyer.id, merchantId, productId });
    await sql`update outbox set state = 'dropped' where buyer_id = ${buyer.id}`.execute(shop.db);
    return { buyer, id };
  } finally {
    await past.destroy();
    await shop.db
      .updateTable('merchants')
      .set({ end_days_late: null })
      .where('id', '=', merchantId)
      .execute();
  }
}
const warnLate = () => endLatePlans({ db: shop.db }, createLog('silent'));
const dayAfter = (days: number) => formatDateLong(addDays(mexicoCityDate(new Date()), days));

const deliver = () => deliverEmails(shop);

/**
 * All but reminders (server/src/purchases/reminders/reminders.http.test.ts) and warnings of a plan's end (below): what those say is
 * read when they are sent.
 */
const EMAILS: Record<
  Exclude<EmailTopic, AddressedTopic | 'payment_due' | 'end_warned'>,
  { subject: string; says: string[] }
> = {
  layaway_paid: {
    subject: 'Recibimos tu apartado de $615.00 MXN',
    says: ['PAGADO', '$615.00 MXN', 'AB12 CD34 EF', 'El recibo completo está en tu cuenta.'],
  },
  instalment_paid: {
    subject: 'Recibimos tu abono de $615.00 MXN',
    says: ['PAGADO', '$615.00 MXN', 'AB12 CD34 EF', 'El recibo completo está en tu cuenta.'],
  },
  several_paid: {
    subject: 'Recibimos tu pago de $615.00 MXN para 3 compras',
    says: ['PAGADO', '$615.00 MXN', 'En tu recibo está cuánto fue para cada una.'],
  },
  purchase_cancelled: {
    subject: 'Cancelaste tu compra 10007',
    says: [
      'Tu compra 10007 quedó cancelada',
      'Te devolvemos',
      'vuelve a tu tarjeta.',
      'Pagado',
      // Without the fee, as the purchase says it.
      '$815.00 MXN',
      'Cargo por cancelar',
      '−$200.00 MXN',
      'Devolución',
      '$615.00 MXN',
      'El cargo por servicio de $15.00 MXN no se devuelve.',
    ],
  },
  purchase_delivered: {
    subject: 'Recibiste tu compra 10007',
    says: ['ENTREGADO', '¡Ya es tuyo!', '$615.00 MXN', 'te entregó lo que apartaste', 'llama a la tienda'],
  },
  purchase_ended: {
    subject: 'La tienda terminó tu compra 10007',
    says: [
      'TERMINADA',
      'Todo lo que pagaste se te devuelve',
      'Te devolvemos',
      '$615.00 MXN',
      'vuelve a tu tarjeta.',
      'Ver por qué y cómo va',
    ],
  },
  more_time: {
    subject: 'La tienda te da hasta el 20 de julio de 2031 para tu compra 10007',
    says: [
      'MÁS TIEMPO',
      'venció el 5 de junio de 2031. La tienda te espera: si lo pagas completo a más tardar el 20 de julio de 2031',
      '$615.00',
      'Pagar ahora',
    ],
  },
  plan_changed: {
    subject: 'Cambiaste tu plan de pagos: compra 10007',
    says: [
      'PLAN CAMBIADO',
      'Tu pago 2 ahora vence el 12 de junio de 2031',
      '$615.00 MXN, 5 de junio de 2031',
      '$615.00 MXN, 12 de junio de 2031',
      'no cambian',
    ],
  },
  claim_opened: {
    subject: 'Recibimos tu reclamo AB12CD34EF',
    says: ['RECLAMO ABIERTO', 'Tiene cinco días hábiles para contestarte', 'AB12 CD34 EF'],
  },
  claim_answered: {
    subject: 'La tienda contestó tu reclamo AB12CD34EF',
    says: ['CONTESTADO', 'Leer la respuesta', 'sigue abierto'],
  },
  claim_withdrawn: {
    subject: 'Retiraste tu reclamo AB12CD34EF',
    says: ['RECLAMO RETIRADO', 'puedes reclamar otra vez'],
  },
  cash_owed_back: {
    subject: 'Tienes $615.00 MXN por recoger',
    says: ['$615.00 MXN', 'El comercio te lo entrega.'],
  },
  payment_returned: {
    subject: 'Te devolvemos $615.00 MXN',
    says: ['cuando ya no se podía aplicar a tu apartado.', 'la devolución esté hecha'],
  },
  payment_in_review: {
    subject: 'Estamos revisando tu pago',
    says: ['EN REVISIÓN', '$615.00 MXN', 'No vuelvas a pagar'],
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
    says: ['AB12 CD34 EF', '10007', 'La caja te regresa ese dinero.'],
  },
  store_reversed: {
    subject: 'La tienda revirtió tu pago de $615.00 MXN',
    says: ['de tu compra 10007 ya no cuenta.'],
  },
  card_reversed: {
    subject: 'Tu pago de $615.00 MXN se devolvió a tu tarjeta',
    says: ['de tu compra 10007 ya no cuenta: se devolvió a tu tarjeta terminada en 7669.'],
  },
  refund_done: {
    subject: 'Devolución hecha: $615.00 MXN',
    says: ['DEVUELTO', 'Devolvimos a tu tarjeta terminada en 7669', '$615.00 MXN'],
  },
  refund_in_cash: {
    subject: 'Tu devolución de $615.00 MXN será en efectivo',
    says: [
      'No se pudo devolver a tu tarjeta terminada en 7669. Lo recibes completo',
      'El comercio te lo entrega',
    ],
  },
  refund_paid_in_cash: {
    subject: 'Te entregaron $615.00 MXN',
    says: ['DEVUELTO', 'ya no te falta nada de él.'],
  },
  refund_bounced: {
    subject: 'Tu devolución de $615.00 MXN se te debe otra vez',
    says: ['POR DEVOLVER', 'pero no te llegó. Lo recibes completo.'],
  },
  invoice_issued: {
    subject: 'Tu factura de $615.00 MXN está lista',
    says: ['FACTURADO', 'Descarga el PDF y el XML desde tu compra.', 'AB12CD34EF'],
  },
  invoice_cancelled: {
    subject: 'Tu factura de $615.00 MXN se canceló ante el SAT',
    says: ['CANCELADA', 'El PDF y el XML que tienes ya no son válidos.', 'AB12CD34EF'],
  },
  invoice_refused: {
    subject: 'No se pudo emitir tu factura',
    says: ['El nombre o razón social no coincide con el del SAT', '/clientEdit?parte=fiscal'],
  },
  welcome: {
    subject: 'Te damos la bienvenida a Aparta',
    says: ['Tu cuenta está lista.', '/confirmarCorreo#code=', 'durante 7 días'],
  },
  confirm_email: {
    subject: 'Confirma tu correo de Aparta',
    says: ['/confirmarCorreo#code=', 'durante 7 días'],
  },
  password_changed: {
    subject: 'Tu password de Aparta cambió',
    says: ['cerramos todas tus sesiones', '/resetyourpassword'],
  },
  kept_session_replayed: {
    subject: 'Cerramos una sesión de tu cuenta de Aparta',
    says: ['se usó desde dos lugares', 'entra otra vez con tu password', '/resetyourpassword'],
  },
};

describe('an email', () => {
  test.each(Object.entries(EMAILS))(
    '%s arrives once and says it in good Spanish',
    async (topic, expected) => {
      const buyer = await makeBuyer(shop.db, { userName: HOSTILE.slice(0, 80), isConfirmed: false });
      await queue(buyer, topic as EmailTopic);
      await queue(buyer, topic as EmailTopic); // a second observation of the same thing
      expect(await outbox(buyer)).toHaveLength(1);
      await deliver();
      await deliver();
      const [email, ...others] = await inbox(buyer);
      expect(others).toEqual([]);
      expect(email).toMatchObject({
        subject: expected.subject,
        from: 'no-responder@aparta.test',
        to: [buyer.email],
        attachments: [],
      });
      expectGood(email, expected.says);
      expect(email?.text).toContain(`Aparta: ${shop.settings.publicOrigin}`);
      // The mailbox may be somebody else's: no name, no address, nothing that others could have written.
      // A link's code is drawn, and may hold any of the short ones.
      const said = `${email?.subject} ${email?.text} ${email?.html}`.replaceAll(/=[\w-]{20,}/g, '');
      for (const word of ['Ana', '5512345678', 'victim', 'alert(1)', 'Bcc', buyer.email]) {
        expect(said).not.toContain(word);
      }
      expect(await outbox(buyer)).toMatchObject([{ state: 'sent', tries: 1, sent_at: expect.any(Date) }]);
    },
  );

  test.each([
    ['taken', 'pero tu apartado ya estaba pagado'],
    ['ended', 'pero esa compra ya estaba cancelada'],
    ['replaced', 'pero ya lo habías apartado con otra referencia'],
    ['late', 'cuando ya había vencido'],
    ['short', 'menos de lo que cuesta apartar'],
    ['sold_out', 'pero el producto se agotó'],
    ['surplus', 'Pagaste en tienda más de lo que costaba apartar'],
  ])('of a deposit that a store took says why it is owed back: %s', async (why, says) => {
    const buyer = await makeBuyer(shop.db);
    await queue(buyer, 'cash_owed_back', { why });
    await deliver();
    const [email] = await inbox(buyer);
    expectGood(email, ['$615.00 MXN', 'El comercio te lo entrega.']);
    expect(email?.text).toContain(says);
  });

  test.each([
    ['purchase_cancelled', '$200.00 MXN te los devuelve la tienda en su terminal'],
    ['purchase_ended', '$200.00 MXN te los devuelve la tienda en su terminal'],
    ['refund_done', 'La tienda devolvió en su terminal, a la tarjeta terminada en 7669'],
  ] as const)('of what the shop’s own terminal took says where it goes back: %s', async (topic, says) => {
    const buyer = await makeBuyer(shop.db);
    await queue(buyer, topic, { terminalCentavos: 20_000, isByTerminal: 1 });
    await deliver();
    const [email] = await inbox(buyer);
    expectGood(email, [says]);
    expect(email?.text).toContain('terminal');
  });

  test.each([
    [
      'refund_in_cash',
      'te lo entrega: ponte de acuerdo con la tienda.',
      'El comercio te lo entrega: ponte de acuerdo con él.',
    ],
    [
      'refund_bounced',
      'te lo entrega: ponte de acuerdo con la tienda.',
      'El comercio te lo entrega: ponte de acuerdo con él.',
    ],
    [
      'cash_owed_back',
      'te lo entrega en efectivo, en su caja: lleva tu ticket de la tienda donde pagaste.',
      'El comercio te lo entrega. En tu compra ves cómo va.',
    ],
  ] as const)(
    'of cash that goes back names the shop that has it and where that is, to a mailbox that is known to be the buyer’s: %s',
    async (topic, says, saysToOthers) => {
      const shopIs = { address: 'Av. <b>Hidalgo</b> 12', hours: 'De 10 a 19 h', phone: '55 3333 4444' };
      await shop.db.updateTable('merchants').set(shopIs).execute();
      onTestFinished(async () => {
        const blank = { address: '', hours: '', phone: '' };
        await shop.db.updateTable('merchants').set(blank).execute();
      });
      const owner = await makeBuyer(shop.db);
      const squatter = await makeBuyer(shop.db, { isConfirmed: false });
      for (const buyer of [owner, squatter]) await queue(buyer, topic, { merchantId: shop.merchantId });
      await deliver();
      const [whole] = await inbox(owner);
      expectGood(whole, [`Muebles del Centro ${says}`, ...Object.values(shopIs)]);
      const [short] = await inbox(squatter);
      expectGood(short, [saysToOthers]);
      expect(`${short?.text}${short?.html}`).not.toMatch(/Muebles|Hidalgo|3333/);
    },
  );

  test.each(['purchase_cancelled', 'purchase_ended'] as const)(
    'of an invoiced purchase that is over says to accept what SAT may ask, one without an invoice does not: %s',
    async (topic) => {
      const [invoiced, other] = [await makeBuyer(shop.db), await makeBuyer(shop.db)];
      await queue(invoiced, topic, { isInvoiced: 1 });
      await queue(other, topic);
      await deliver();
      expectGood((await inbox(invoiced))[0], [
        'Si el SAT te pide aceptar la cancelación, acéptala: tienes tres días hábiles.',
      ]);
      expect((await inbox(other))[0]?.text).not.toContain('SAT');
    },
  );

  test('of a cancel in time says what was paid without the fee, and that the fee comes back too', async () => {
    const buyer = await makeBuyer(shop.db);
    const free = { paidCentavos: 61_500, penaltyCentavos: 0, feeReturnedCentavos: 1_500, feeKeptCentavos: 0 };
    await queue(buyer, 'purchase_cancelled', free);
    await deliver();
    const [email] = await inbox(buyer);
    expectGood(email, ['Pagado', '$600.00 MXN', 'Cargo por servicio', '$15.00 MXN', '$615.00 MXN']);
    expect(email?.text).not.toMatch(/Cargo por cancelar|no se devuelve/);
  });

  test('of a payment is the whole receipt once the mailbox is known to be the buyer’s, whatever things are called', async () => {
    await shop.db
      .updateTable('merchants')
      .set({ address: 'Av. <b>Juárez</b> 5 \u202Eoiratnec', phone: '55 1111 2222' })
      .execute();
    const productId = await makeProduct(shop.db, {
      merchantId: shop.merchantId,
      name: '<img src=x onerror=alert(1)> \u202E"Sala" & \'Mesa\'',
    });
    const squatter = await makeBuyer(shop.db, { isConfirmed: false });
    const owner = await makeBuyer(shop.db);
    const { body } = await shop.pay(await shop.reference({ productId, token: owner.token }), CARDS.approved, {
      token: owner.token,
    });
    // The bank asks a buyer whose mailbox is not confirmed.
    const intentId = randomUUID();
    const { token } = squatter;
    await shop.pay(await shop.reference({ productId, token }), CARDS.approved, { token, intentId });
    await answer3ds(shop, intentId, 'approve');
    await shop.poll(intentId);
    await deliver();
    const [whole] = await inbox(owner);
    expectGood(whole, [
      'Recibo de pago',
      inGroups(body.data.folio),
      '<img src=x onerror=alert(1)> "Sala" & \'Mesa\'',
      'Muebles del Centro',
      'Av. <b>Juárez</b> 5 oiratnec',
      '55 1111 2222',
      'Tarjeta terminada en 7669',
      'Pago 1 de 3 · pagado',
      'Pago 3 de 3 · a más tardar el ',
      '$1,200.00',
      'Cargo por servicio',
      'Próximo pago a más tardar el',
      'Este recibo no es una factura (CFDI).',
    ]);
    const [short] = await inbox(squatter);
    expectGood(short, ['$615.00 MXN', 'El recibo completo está en tu cuenta.']);
    expect(short?.text).not.toMatch(/Sala|Muebles|Juárez|7669|a más tardar/);
  });

  test('of a payment of a part says what is left of it, and of a late one that it is late, and adds up to what is left', async () => {
    const { buyer, id } = await makeLate();
    const plan = await shop.db
      .selectFrom('instalments')
      .select(['id', 'due_on as dueOn'])
      .where('purchase_id', '=', id)
      .orderBy('number')
      .execute();
    const till = await openTill(shop);
    const pay = (importe: number) =>
      till.pay({ referencia: `3${plan[2]!.id}`, importe, idtransaccion: randomUUID() });
    expect((await pay(500)).body.error).toBe(0);
    await deliver();
    expect((await pay(1_300)).body.error).toBe(0);
    await deliver();
    const [first, second] = await inbox(buyer);
    const [, due, last] = plan.map(({ dueOn }) => dueOn);
    expectGood(first, [
      'Pago 1 de 3 · pagado',
      `Pago 2 de 3 · pagado en parte, vencido el ${formatDate(due!)}`,
      'Faltan $700.00',
      `Pago 3 de 3 · vencido el ${formatDate(last!)}`,
      '$1,200.00',
      '$1,900.00 MXN',
      'Tu pago venció el',
      formatDateLong(due!),
    ]);
    expect(first?.text).not.toContain('a más tardar');
    expectGood(second, [
      'Pago 2 de 3 · pagado',
      `Pago 3 de 3 · pagado en parte, vencido el ${formatDate(last!)}`,
      'Faltan $600.00',
      '$600.00 MXN',
    ]);
  });

  test('of a payment that others followed before it was sent says plan and rest of one moment: nothing is asked for twice', async () => {
    const { buyer, numbers } = await buy(shop);
    await deliver();
    const till = await openTill(shop);
    for (const importe of [500, 700, 1_200]) {
      const { body } = await till.pay({ referencia: numbers[3]!, importe, idtransaccion: randomUUID() });
      expect(body.error).toBe(0);
      if (importe === 700) await deliver();
    }
    await deliver();
    const [, first, second, last] = await inbox(buyer);
    expectGood(first, ['$500.00 MXN', 'Pago 2 de 3 · pagado', 'Pago 3 de 3 · a más tardar el ']);
    for (const said of [first, second]) expect(said?.text).toMatch(/Te falta: \$1,200\.00 MXN/);
    expect(first?.text).not.toContain('$1,900.00');
    expect(last?.text).toMatch(/Te falta: Liquidada/);
  });

  test('to the people of a shop invites, and lets who forgot their password choose another', async () => {
    const { merchantId } = shop;
    const owner = await makeStaff(shop.db, { merchantId, role: 'owner' });
    const email = 'contadora@example.mx';
    const invitation = { email, name: HOSTILE.slice(0, 20), role: 'accountant' };
    const made = await shop.ask('POST /v1/counter/invitations', { token: owner.token, body: invitation });
    const forgot = (address: string) =>
      shop.ask('POST /v1/counter/password/forgot', { body: { email: address } });
    expect([await forgot(owner.email), await forgot('nadie@example.mx')]).toMatchObject([
      { status: 200 },
      { status: 200 },
    ]);
    await deliver();
    const [invited, ...others] = await inbox({ email });
    expect(others).toEqual([]);
    expectGood(invited, [
      'Muebles del Centro te invita',
      'en la contabilidad',
      '/mostrador/invitacion#code=',
      'dio este correo',
    ]);
    const [, mailed] = /invitacion#code=([\w-]{43})/.exec(invited?.text ?? '')!;
    expect(made.body.data.link).not.toContain(mailed);
    for (const token of [mailed, made.body.data.link.split('#code=')[1]]) {
      const read = await shop.ask('POST /v1/counter/invitations/read', { body: { token } });
      expect(read.body.data).toMatchObject({ email, role: 'accountant' });
    }
    const [reset] = await inbox(owner);
    expectGood(reset, ['Cambia tu contraseña', '/mostrador/contrasena#code=', 'durante 30 minutos']);
    expect(await inbox({ email: 'nadie@example.mx' })).toEqual([]);
    const [, code] = /contrasena#code=([\w-]{43})/.exec(reset?.text ?? '')!;
    const body = { code, password: 'otra-clave-larga-8' };
    expect((await shop.ask('POST /v1/counter/password/reset', { body })).status).toBe(200);
    await deliver();
    const [, changed] = await inbox(owner);
    expectGood(changed, ['Tu contraseña cambió', '/mostrador/olvide']);
    expect(changed?.text).not.toContain('llaves de acceso');
    const stranger = await makeStaff(shop.db, { merchantId, role: 'owner' });
    await transaction(shop.db, (tx) =>
      sendEmailTo(tx, 'staff_password_changed', stranger.email, { passkeysForgotten: 1 }),
    );
    await deliver();
    expectGood((await inbox(stranger))[0], ['quitamos las llaves de acceso', 'Agrega la tuya otra vez']);
  });

  test('that a late plan ends says when and how to go on, and for the last time once more; the one that it ended, what is kept and what comes back', async () => {
    const late = await makeLate();
    await warnLate();
    await deliver();
    const [warned] = await inbox(late.buyer);
    const endsOn = dayAfter(14);
    expect(warned?.subject).toBe(`Tu compra ${late.id} se cancela el ${endsOn}`);
    expectGood(warned, [
      'ATRASADA',
      'Para que siga',
      '$1,200.00',
      `Debes el abono que venció el ${dayAfter(-40)}.`,
      `Si lo pagas completo antes del ${endsOn}, tu compra sigue y no pierdes nada.`,
      'Pagar ahora',
      'menos el cargo por cancelar: hasta $200.00',
    ]);
    await sql`update outbox set sent_at = sent_at - interval '11 days' where buyer_id = ${late.buyer.id}`.execute(
      shop.db,
    );
    await sql`update purchases set penalty_free_until = app_now() + interval '1 day' where id = ${late.id}`.execute(
      shop.db,
    );
    await warnLate();
    await deliver();
    const [, last] = await inbox(late.buyer);
    expect(last?.subject).toBe(`Último aviso: tu compra ${late.id} se cancela el ${dayAfter(3)}`);
    expectGood(last, ['ÚLTIMO AVISO', '$1,200.00', 'Si se cancela, te devolvemos lo que pagaste.']);
    expect(last?.text).not.toContain('cargo por cancelar');
    const ended = await makeBuyer(shop.db);
    await queue(ended, 'purchase_ended', { endedBy: 'rule' });
    await deliver();
    const [over] = await inbox(ended);
    expect(over?.subject).toBe('Tu compra 10007 se canceló por atraso');
    expectGood(over, [
      'Te avisamos por correo y el abono vencido no quedó pagado completo.',
      'Te devolvemos',
      '$615.00 MXN',
      '$200.00',
      'Ver por qué y cómo va',
    ]);
  });

  test('of the last payment says that the product is theirs and where to collect it', async () => {
    await shop.db.updateTable('merchants').set({ address: 'Av. Juárez 5, Puebla, Pue.' }).execute();
    const bought = await buy(shop);
    const till = await openTill(shop);
    await till.pay({ referencia: bought.numbers[2]!, importe: 2_400, idtransaccion: randomUUID() });
    await deliver();
    const subject = '¡Ya es tuyo! Recibimos tu abono de $2,400.00 MXN';
    const received = await inbox(bought.buyer);
    expect(received.map((email) => email.subject)).toContain(subject);
    expectGood(
      received.find((email) => email.subject === subject),
      [
        '¡Ya es tuyo!',
        'Sala',
        'Pagados 3 de 3',
        'Recógelo en Muebles del Centro · Av. Juárez 5, Puebla, Pue.',
        'Está listo para recoger: en tu compra tienes el código que vas a enseñar en la tienda.',
        '$2,400.00 MXN',
      ],
    );
  });

  test('of an invoice brings its files to a mailbox that is known to be the buyer’s, and leads to them otherwise', async () => {
    const squatter = await makeBuyer(shop.db, { isConfirmed: false });
    const owner = await makeBuyer(shop.db);
    for (const buyer of [owner, squatter]) {
      const invoiceId = await makeInvoice(buyer);
      await queue(buyer, 'invoice_issued', { invoiceId, folio: 'F-7' });
    }
    await deliver();
    expect((await inbox(owner)).at(-1)).toMatchObject({
      attachments: ['factura-F-7.pdf', 'factura-F-7.xml'],
      text: expect.stringContaining('Van adjuntos el PDF y el XML.'),
    });
    const how = 'Confirma tu correo en tu perfil y tus próximas facturas te llegarán también aquí.';
    expect((await inbox(owner)).at(-1)?.text).not.toContain(how);
    const [short] = (await inbox(squatter)).slice(-1);
    expectGood(short, ['Descarga el PDF y el XML desde tu compra.', how]);
    expect(short?.attachments).toEqual([]);
  });

  test('of an invoice says only what is so: no folio where it has none, no PDF that has not come, nothing of a payment that went back', async () => {
    const buyer = await makeBuyer(shop.db);
    const invoiceId = await makeInvoice(buyer);
    await shop.db.updateTable('invoices').set({ pdf: null }).where('id', '=', invoiceId).execute();
    await queue(buyer, 'invoice_issued', { invoiceId, folio: '' });
    await queue(buyer, 'invoice_cancelled', { invoiceId, folio: '', isPurchaseCancelled: 1 });
    await queue(buyer, 'invoice_refused', { invoiceId, folio: '' });
    await deliver();
    const [issued, cancelled, refused] = (await inbox(buyer)).slice(-3);
    for (const email of [issued, cancelled, refused]) expect(email!.text).not.toContain('Folio');
    expect(issued!.text).toContain('Descarga el XML desde tu compra. El PDF puede tardar.');
    expect(cancelled!.subject).toBe('Se anuló tu factura de $615.00 MXN');
    expect(cancelled!.text).toContain('canceló esta factura ante el SAT: no uses su PDF ni su XML.');
    expect(cancelled!.text).not.toMatch(/Tu pago no cambia|pedir otra factura/);
  });

  test('of an invoice refused for an email address never says that invoices go there: they go to the account’s', async () => {
    const buyer = await makeBuyer(shop.db);
    await queue(buyer, 'invoice_refused', { field: 'email' });
    await deliver();
    const email = (await inbox(buyer)).at(-1)!;
    expect(email.text).toContain('El proveedor de facturas no acepta el correo de tus datos fiscales.');
    expect(email.text).not.toContain('recibir la factura');
  });

  test('of an invoice that its shop credited never says that it is void: the buyer keeps both', async () => {
    const buyer = await makeBuyer(shop.db);
    const invoiceId = await makeInvoice(buyer);
    await queue(buyer, 'invoice_cancelled', { invoiceId, isPurchaseCancelled: 1, isCredited: 1 });
    await deliver();
    const email = (await inbox(buyer)).at(-1)!;
    expect(email.subject).toBe('Tu factura de $615.00 MXN tiene una nota de crédito');
    expect(email.text).toContain('La factura sigue vigente ante el SAT: guarda las dos.');
    expect(email.text).not.toMatch(/no uses|ya no son válidos/i);
  });

  test('is written by what happened: a paid deposit has one, with the folio of its receipt', async () => {
    const buyer = await makeBuyer(shop.db);
    const productId = await makeProduct(shop.db, { merchantId: shop.merchantId });
    const reference = await shop.reference({ productId, token: buyer.token });
    await shop.pay(reference, CARDS.approved, { token: buyer.token });
    await shop.pay(reference, CARDS.approved, { token: buyer.token });
    await deliver();
    const { folio } = await shop.db
      .selectFrom('receipts')
      .select('folio')
      .where('buyer_id', '=', buyer.id)
      .executeTakeFirstOrThrow();
    const emails = await inbox(buyer);
    expect(emails.map(({ subject }) => subject)).toEqual(['Recibimos tu apartado de $615.00 MXN']);
    expect(emails[0]?.text).toContain(folio);
  });

  test('goes to one mailbox, whatever signs an email address may hold', async () => {
    const addresses = [
      "o'hara+aparta@example.mx",
      'a,b@example.mx',
      'a;b@example.mx',
      'x"y@example.mx',
      'a<b@example.mx',
    ];
    const mailer = smtp({ url: shop.settings.smtpUrl, from: shop.settings.mailFrom });
    for (const to of addresses)
      await mailer.send({ ...BLANK, to, text: 'y', subject: to, id: to.slice(0, 1) }).catch(() => {});
    mailer.close();
    const emails: Email[] = (await shop.control('GET /control/emails')).emails.filter(
      ({ text }: Email) => text.trim() === 'y',
    );
    expect(emails[0]?.to).toEqual([addresses[0]]);
    for (const { to, subject } of emails) {
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
  test('the email waits, is tried twelve times, and then is left for a person; the money is where it was', async () => {
    const buyer = await makeBuyer(shop.db);
    const { token } = buyer;
    const reference = await shop.reference({ token });
    expect((await shop.pay(reference, CARDS.approved, { token })).body.data.applied).toBe(true);
    const [queued] = await outbox(buyer);
    const down = {
      ...shop.jobs,
      mailer: smtp({ url: 'smtp://127.0.0.1:9', from: shop.settings.mailFrom }),
    };
    for (let tries = 1; tries <= 12; tries += 1) {
      await expect(deliverEmail(down, queued!.id)).rejects.toThrow('the email was not taken over');
      expect(await outbox(buyer)).toMatchObject([
        { state: tries < 12 ? 'waiting' : 'failed', tries, sent_at: null },
      ]);
    }
    down.mailer.close();
    await deliver(); // the provider is back, too late
    expect(await inbox(buyer)).toEqual([]);
    expect((await shop.ask(`GET /v1/PullApartReference/${reference.id}`, { token })).body.data.Estatus).toBe(
      2,
    );
  });

  test('an email that waited is sent when it is back', async () => {
    const buyer = await makeBuyer(shop.db);
    await queue(buyer, 'payment_in_review');
    const [queued] = await outbox(buyer);
    const mailer = smtp({ url: 'smtp://127.0.0.1:9', from: shop.settings.mailFrom });
    await expect(deliverEmail({ ...shop.jobs, mailer }, queued!.id)).rejects.toThrow('not taken over');
    mailer.close();
    await deliver();
    expect(await outbox(buyer)).toMatchObject([{ state: 'sent', tries: 2 }]);
    expect(await inbox(buyer)).toHaveLength(1);
  });

  test('who paid what was late meanwhile, or got more time, is not told that their plan ends; who paid a part reads what is left of it', async () => {
    const [settled, partly, given, waited] = [
      await makeLate(),
      await makeLate(),
      await makeLate(),
      await makeLate(),
    ];
    await warnLate();
    await payPurchase(shop.db, settled.id, 240_000);
    await payPurchase(shop.db, partly.id, 50_000);
    const { positionId } = await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' });
    const owner = { kind: 'staff', positionId, merchantId: shop.merchantId, role: 'owner', branchIds: [] };
    const more = (id: number, days: number) =>
      giveMoreTime({ db: shop.db }, owner as unknown as Staff, id, {
        until: addDays(mexicoCityDate(new Date()), days),
        reason: 'Estuvo enferma',
      });
    await more(given.id, 30);
    // The mail server is away for two days: the buyer who waited is told the day that holds now.
    await sql`update outbox set facts = facts || ${JSON.stringify({ endsOn: addDays(mexicoCityDate(new Date()), 12) })}::jsonb
      where topic = 'end_warned' and buyer_id = ${waited.buyer.id}`.execute(shop.db);
    await deliver();
    const subjects = async ({ buyer }: { buyer: MadeBuyer }) =>
      (await inbox(buyer)).map(({ subject }) => subject);
    expect(await subjects(settled)).toEqual([]);
    expect(await subjects(given)).toEqual([
      `La tienda te da hasta el ${dayAfter(30)} para tu compra ${given.id}`,
    ]);
    expect(await subjects(partly)).toEqual([`Tu compra ${partly.id} se cancela el ${dayAfter(14)}`]);
    expectGood((await inbox(partly.buyer))[0], ['$700.00', `venció el ${dayAfter(-40)}`]);
    expect(await subjects(waited)).toEqual([`Tu compra ${waited.id} se cancela el ${dayAfter(14)}`]);
    // Only what was sent counts.
    const states = async ({ buyer }: { buyer: MadeBuyer }) =>
      (await outbox(buyer))
        .filter(({ topic }) => topic === 'end_warned')
        .map(({ state, sent_at }) => [state, sent_at !== null]);
    expect(await states(settled)).toEqual([['dropped', false]]);
    expect(await states(given)).toEqual([['dropped', false]]);
    expect(await states(partly)).toEqual([['sent', true]]);
  });

  test('what it says of the address is not passed on', async () => {
    const refusing = await refusingServer();
    const mailer = smtp({ url: `smtp://127.0.0.1:${refusing.port}`, from: shop.settings.mailFrom });
    const failure = await mailer.send({ ...BLANK, to: 'ana.secreta@example.mx' }).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    mailer.close();
    refusing.server.close();
    expect(failure?.message).toBe('the email was not taken over (EENVELOPE 550)');
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

const BLANK = { subject: 'x', text: 'x', html: 'x', attachments: [], id: 'x' };

/** An issued invoice of a purchase's deposit, with its files; returns its id. */
async function makeInvoice(buyer: MadeBuyer): Promise<number> {
  const { db, merchantId } = shop;
  const productId = await makeProduct(db, { merchantId });
  const purchase = await makePurchase(db, { buyerId: buyer.id, merchantId, productId });
  const fiscal = await db
    .insertInto('fiscal_clients')
    .values({
      buyer_id: buyer.id,
      rfc: 'XEXX010101000',
      name: 'ANA',
      email: buyer.email,
      postal_code: '06000',
      tax_regime: '616',
      cfdi_use: 'S01',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('invoices')
    .values({
      instalment_id: purchase.instalmentIds[0]!,
      purchase_id: purchase.id,
      buyer_id: buyer.id,
      merchant_id: merchantId,
      fiscal_client_id: fiscal.id,
      state: 'issued',
      payment_form: '04',
      amount_centavos: centavos(60_000),
      iva_basis_points: 1_600,
      receiver: '{}',
      receiver_revision: 1,
      provider_uuid: `uuid-${purchase.id}`,
      fiscal_folio: `folio-${purchase.id}`,
      folio: 'F-7',
      xml: Buffer.from('<cfdi/>'),
      pdf: Buffer.from('%PDF-1.7'),
      issued_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
