import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { addDays } from '@aparta/domain/calendar';
import { centavos, type Centavos, formatMoney, zero } from '@aparta/domain/money';
import { INVOICE_STATES } from '@aparta/server/invoicing/invoices/invoice';
import { transaction } from '@aparta/server/platform/db/transaction';
import { cancelPurchase } from '@aparta/server/purchases/cancelling/cancel';
import { createReference } from '@aparta/server/purchases/layaways/create-reference';
import { reserve } from '@aparta/server/purchases/layaways/reserve';
import { lockReference } from '@aparta/server/purchases/layaways/store';
import { applyPayment } from '@aparta/server/purchases/plans/apply-payment';
import { reversePayment } from '@aparta/server/purchases/plans/reverse-payment';
import { lockPurchase } from '@aparta/server/purchases/plans/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Operator, seatOperator } from '../../test/operator.ts';

const SEED = Date.now() % 1_000_000_000;
const PURCHASES = 24;
/** Days after the month's end, by merchant: the third has no last day, the fourth does not invoice here. */
const CUT_OFFS = [5, 300, null, 5] as const;
const MONTHS = ['2026-01', '2026-02', '2026-03'];

/** Numbers below `sides`, the same ones for the same seed. */
let state = SEED;
function roll(sides: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * sides);
}

let operator: Operator;
beforeAll(async () => {
  operator = await seatOperator();
  const { id } = await operator.done(['company', 'add', 'Grupo']);
  for (const [at, days] of CUT_OFFS.entries()) {
    const merchant = at + 1;
    await operator.done(
      `merchant add --company ${id} --business-name M${merchant} --trade-name M${merchant} --deposit 20 --frequency 30 --duration 90` +
        (merchant === 4 ? '' : ' --invoicing-business d0000000-0000-4000-8000-000000000001') +
        ` --invoice-cut-off ${days ?? 'none'}`,
    );
    await operator.products(
      merchant,
      'sku,nombre,precio,clave_factura\nA,"=Sala, gris",3000,e0000000-0000-4000-8000-000000001600',
    );
  }
  await operator.asOwner(`insert into buyers (email, user_name, name, password_hash)
    values ('ana@example.mx', 'ana', 'Ana Torres', 'x'), ('eva@example.mx', 'eva', 'Eva', 'x')`);
  await operator.asOwner(`insert into fiscal_clients (buyer_id, rfc, name, email, postal_code, tax_regime, cfdi_use)
    select id, 'MISC491214B86', name, email, '72000', '612', 'G03' from buyers`);
  for (let n = 0; n < PURCHASES; n += 1) await live();
}, 120_000);
afterAll(() => operator.close());

const sql = async (statement: string): Promise<any[]> => (await operator.asOwner(statement)).rows;
const oneOf = <T>(of: readonly T[]): T => of[roll(of.length)]!;
/** Some moment of these months, often at the ends of one by the clock of Mexico City. */
function someMoment(): Date {
  const month = `${oneOf(MONTHS)}-01`;
  const at = new Date(`${month}T06:00:00Z`).getTime();
  return new Date(
    roll(3) === 0 ? at + roll(3) * 1_000 - 1_000 : at + roll(27) * 86_400_000 + roll(80_000_000),
  );
}

/** A purchase with payments, some of them taken back, and invoices in any state; some are cancelled. */
async function live(): Promise<void> {
  const { db } = operator;
  const merchant = 1 + roll(CUT_OFFS.length);
  const [{ buyer, product }] =
    await sql(`select (select id from buyers where user_name = '${oneOf(['ana', 'eva'])}') as buyer,
    (select id from products where merchant_id = ${merchant}) as product`);
  const referenceId = await createReference({ db, referenceDays: 2 }, Number(buyer), {
    qrText: `1|${merchant}|${product}|0|3000.00|3|600.00|0`,
    repeat: true,
    sourceAddress: '198.51.100.7',
  });
  const money = () => ({
    channel: oneOf(['till', 'cash'] as const),
    sourceId: randomUUID(),
    paidAt: someMoment(),
  });
  const { purchaseId } = await transaction(db, async (tx) =>
    reserve(tx, (await lockReference(tx, referenceId))!, {
      ...money(),
      channel: 'till',
      feeCentavos: zero,
      unit: { take: undefined },
    }),
  );
  for (let payments = roll(5); payments > 0; payments -= 1) {
    const paid = money();
    const isPaid = await transaction(db, async (tx) => {
      const purchase = (await lockPurchase(tx, purchaseId))!;
      if (purchase.balanceCentavos === 0) return false;
      const principalCentavos = centavos(
        Math.min(purchase.balanceCentavos, oneOf([30_000, 80_000, 100_000, 170_000])),
      );
      await applyPayment(tx, purchase, {
        ...paid,
        principalCentavos,
        feeCentavos: oneOf([zero, 1_500 as Centavos]),
      });
      return true;
    });
    if (isPaid && roll(4) === 0) await transaction(db, (tx) => reversePayment(tx, paid, purchaseId));
  }
  const instalments = await sql(
    `select * from instalments where purchase_id = ${purchaseId} and paid_centavos = amount_centavos`,
  );
  for (const { id, amount_centavos: amount } of instalments.filter(() => roll(2) === 0)) {
    const became = oneOf(INVOICE_STATES);
    await sql(`insert into invoices (instalment_id, purchase_id, buyer_id, merchant_id, fiscal_client_id, state, payment_form,
        amount_centavos, iva_basis_points, receiver, receiver_revision, provider_uuid, fiscal_folio, xml, issued_at, closed_at)
      select ${id}, ${purchaseId}, ${buyer}, ${merchant}, (select id from fiscal_clients where buyer_id = ${buyer}), '${became}',
        '01', ${amount}, 1600, '{"rfc": "MISC491214B86"}', 1, gen_random_uuid(), gen_random_uuid(), 'x', now(),
        case when '${became}' in ('refused', 'cancelled') then now() end`);
  }
  if (roll(8) === 0)
    await sql(`update purchases set state = 'cancelled', cancelled_at = now() where id = ${purchaseId}`);
}

const LIVE = `(select from invoices v where v.instalment_id = i.id and v.state in ('requested', 'sending', 'stamped', 'issued', 'review'))`;
const LOCAL = `(coalesce(r.paid_at, r.received_at) at time zone 'America/Mexico_City')`;

test(`what nobody invoiced agrees with the instalments, months and last days that the tables say (seed ${SEED})`, async () => {
  const { receipts, totals } = await operator.done('invoice uninvoiced');
  expect(receipts.length).toBeGreaterThan(10);
  // By what the instalments have, which says nothing of receipts.
  const byMerchant =
    await sql(`select p.merchant_id::int as merchant, sum(i.paid_centavos)::int as sum from instalments i
    join purchases p on p.id = i.purchase_id where p.state = 'active' and not exists ${LIVE}
    group by 1 having sum(i.paid_centavos) > 0 order by 1`);
  const sums = Map.groupBy(
    totals.filter(({ total }: any) => total === 'mes'),
    (total: any) => total.merchantId,
  );
  expect(
    [...sums].map(([merchant, months]) => ({
      merchant,
      sum: months.reduce((sum: number, { amountCentavos }: any) => sum + amountCentavos, 0),
    })),
  ).toEqual(byMerchant);
  // By month, reversals counted as what they are: amounts below zero.
  const byMonth = await sql(`select p.merchant_id::int as "merchantId", to_char(${LOCAL}, 'YYYY-MM') as month,
      count(distinct r.id) filter (where r.withdrawn_centavos = 0)::int as receipts, sum(a.amount_centavos)::int as "amountCentavos"
    from receipts r join allocations a on a.receipt_id = r.id join instalments i on i.id = a.instalment_id
      join purchases p on p.id = i.purchase_id where p.state = 'active' and not exists ${LIVE}
    group by 1, 2 having sum(a.amount_centavos) > 0 order by 1, 2`);
  expect(
    totals.filter(({ total }: any) => total === 'mes').map(({ total: _total, ...of }: any) => of),
  ).toEqual(byMonth);
  // The last day of each receipt that may be asked for: the earliest of its instalments'. Of what was heard of only after it, the
  // month counts in which it was heard of.
  const lastDay = (at: string) =>
    `((date_trunc('month', ${at}) + interval '1 month - 1 day')::date + m.invoice_cut_off_days)`;
  const days =
    await sql(`select r.folio, min(case when last.heard::date > ${lastDay('last.at')} then ${lastDay('last.heard')}
      else ${lastDay('last.at')} end)::text as until
    from receipts r join allocations a on a.receipt_id = r.id and r.withdrawn_centavos = 0 join instalments i on i.id = a.instalment_id
      join purchases p on p.id = i.purchase_id join merchants m on m.id = p.merchant_id,
      lateral (select max(${LOCAL.replaceAll('r.', 'z.')}) as at, max(z.received_at at time zone 'America/Mexico_City') as heard from receipts z join allocations b on b.receipt_id = z.id
        where b.instalment_id = i.id and z.withdrawn_centavos = 0) last
    where p.state = 'active' and m.invoicing_business_uuid <> '' and i.paid_centavos = i.amount_centavos and not exists ${LIVE}
    group by 1 having min(m.invoice_cut_off_days) is not null order by 1`);
  expect(
    receipts
      .filter(({ until }: any) => until !== null)
      .map(({ folio, until }: any) => ({ folio, until }))
      .toSorted((a: any, b: any) => (a.folio < b.folio ? -1 : 1)),
  ).toEqual(days);
  // States and filters share them out: each receipt is in exactly one of them.
  const folios = async (line: string) =>
    (await operator.done(`invoice uninvoiced ${line}`)).receipts.map(({ folio }: any) => folio);
  const all = receipts.map(({ folio }: any) => folio).toSorted();
  const states = await Promise.all(
    ['open', 'over', 'unpaid', 'not-offered'].map((of) => folios(`--state ${of}`)),
  );
  expect(states.flat().toSorted()).toEqual(all);
  const months = await Promise.all([...MONTHS, '2025-12'].map((month) => folios(`--month ${month}`)));
  expect(months.flat().toSorted()).toEqual(all);
  const merchants = await Promise.all([1, 2, 3, 4].map((id) => folios(`--merchant ${id}`)));
  expect(merchants.flat()).toEqual(receipts.map(({ folio }: any) => folio));
});

test('invoices are listed by merchant, month and state, and all of them are in a file', async () => {
  const listed = await operator.done('invoice list');
  const [{ all, sum }] = await sql(
    'select count(*)::int as all, sum(amount_centavos)::int as sum from invoices',
  );
  const total = (rows: any[]) => rows.reduce((so: number, { amountCentavos }: any) => so + amountCentavos, 0);
  expect([listed.length, total(listed)]).toEqual([all, sum]);
  for (const of of INVOICE_STATES) {
    const rows = await operator.done(`invoice list --state ${of}`);
    expect(rows).toEqual(listed.filter((each: any) => each.state === of));
  }
  const month = await operator.done(`invoice list --merchant 1 --month ${MONTHS[1]}`);
  const expected = await sql(`select v.id::int from invoices v join instalments i on i.id = v.instalment_id,
      lateral (select max(${LOCAL}) as at from receipts r join allocations a on a.receipt_id = r.id
        where a.instalment_id = i.id and r.withdrawn_centavos = 0) last
    where v.merchant_id = 1 and to_char(last.at, 'YYYY-MM') = '${MONTHS[1]}' order by 1 desc`);
  expect(month.map(({ id }: any) => ({ id }))).toEqual(expected);
  const shown = await operator.run('invoice list --limit 1');
  expect(shown.out).toContain(`Se muestran 1 de ${all}`);
  const file = operator.file('facturas.csv', Buffer.alloc(0));
  await operator.done(`invoice list --limit 1 --csv ${file}`);
  expect(fs.readFileSync(file, 'utf8').trim().split('\r\n')).toHaveLength(all + 1);
});

test('a file of what nobody invoiced has plain sums, ISO dates and initials, and its months add up', async () => {
  const file = operator.file('sin.csv', Buffer.alloc(0));
  await operator.done(`invoice uninvoiced --csv ${file}`);
  const { receipts, totals } = await operator.done('invoice uninvoiced');
  const written = fs.readFileSync(file, 'utf8');
  expect(written.startsWith('\uFEFF')).toBe(true);
  const lines = written.trim().split('\r\n');
  expect(lines[0]).toBe(
    'nivel,comercio,mes,recibo,pagado,comprador,compra,abonos,recibo por,sin factura,hasta,se puede pedir',
  );
  expect(lines).toHaveLength(1 + receipts.length + totals.length);
  expect(lines[1]).toMatch(
    /^recibo,\d,202[56]-\d\d,[0-9A-Z]{10},202[56]-\d\d-\d\d \d\d:\d\d,(AT|E),\d+,"?[\d, ]+"?,\d+\.\d\d,\d+\.\d\d,/,
  );
  expect(lines.at(-1)).toMatch(
    new RegExp(
      `^todo,,,Total: ${receipts.length} recibos,,,,,,${(totals.at(-1).amountCentavos / 100).toFixed(2)},,$`,
    ),
  );
  const { out } = await operator.run(`invoice uninvoiced --merchant ${receipts[0].merchantId}`);
  expect(out).toMatch(/SIN FACTURA +HASTA/);
  expect(out).toMatch(/Total: \d+ recibos? +\$[\d,]+\.\d\d\n/);
});

test('purchases are listed by merchant, buyer, month and state', async () => {
  const listed = await operator.done('purchase list');
  expect(listed).toHaveLength(PURCHASES);
  const states = ['active', 'late', 'paid-off', 'cancelled', 'delivered'];
  const shares = await Promise.all(states.map((of) => operator.done(`purchase list --state ${of}`)));
  expect(
    shares
      .flat()
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(listed.map(({ id }: any) => id).toSorted());
  expect(shares[3]!.every(({ balanceCentavos }: any) => balanceCentavos === 0)).toBe(true);
  const [{ owed }] = await sql(
    `select sum(price_centavos - paid_centavos)::int as owed from purchases where state = 'active'`,
  );
  expect(listed.reduce((sum: number, { balanceCentavos }: any) => sum + balanceCentavos, 0)).toBe(owed);
  const anas = await operator.done('purchase list --buyer ana@example.mx --merchant 2');
  expect(anas).toEqual(
    listed.filter(({ buyerEmail, merchantId }: any) => buyerEmail === 'ana@example.mx' && merchantId === 2),
  );
  expect(await operator.done(`purchase list --month ${addDays('2026-01-01', -1).slice(0, 7)}`)).toEqual([]);
  const file = `${operator.file('compras', Buffer.alloc(0))}.csv`;
  await operator.done(`purchase list --csv ${file}`);
  // It names people.
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  // A name that a spreadsheet would run is text.
  expect(fs.readFileSync(file, 'utf8')).toContain(`,"'=Sala, gris",3000.00,`);
});

test('a purchase is shown with its plan, its payments and the numbers of who collected them', async () => {
  const [{ id, folio, source }] = await sql(`select p.id::int, r.folio, r.source_id as source from purchases p
    join instalments i on i.purchase_id = p.id join allocations a on a.instalment_id = i.id join receipts r on r.id = a.receipt_id
    where r.channel = 'cash' and r.withdrawn_centavos = 0 limit 1`);
  const { out } = await operator.run(`purchase show ${id}`);
  expect(out).toMatch(new RegExp(`^Compra +${id}, `));
  for (const words of [
    folio,
    source,
    'Plan\n',
    'Pagos recibidos\n',
    'Cómo llegó aquí\n',
    `payment follow --by ${id}`,
  ])
    expect(out).toContain(words);
  const { purchase, receipts } = await operator.done(`purchase show ${id}`);
  expect(purchase.instalments.reduce((sum: number, { paidCentavos }: any) => sum + paidCentavos, 0)).toBe(
    purchase.paidCentavos,
  );
  expect(receipts.map((receipt: any) => receipt.folio)).toContain(folio);
});

test('a cancelled purchase is shown with what was kept of its money, what goes back and what went already', async () => {
  const [{ id, buyer }] =
    await sql(`update purchases set penalty_centavos = 10000, penalty_free_until = created_at where id = (
      select max(p.id) from purchases p join instalments i on i.purchase_id = p.id join allocations a on a.instalment_id = i.id
        join receipts r on r.id = a.receipt_id and r.channel = 'cash' and r.withdrawn_centavos = 0
      where p.state = 'active' and p.paid_centavos < p.price_centavos) returning id::int, buyer_id::int as buyer`);
  await cancelPurchase({ db: operator.db }, buyer, id, { notes: '', shownCentavos: undefined });
  const [store] = await sql(`select f.id::int from refunds f join receipts r on r.id = f.receipt_id
    where f.cause = 'cancel' and r.channel = 'cash'`);
  await operator.done(`refund paid ${store.id} --by merchant --evidence Vale`);
  const [sums] = await sql(`select sum(amount_centavos)::int as all,
    sum(amount_centavos) filter (where state = 'done')::int as done from refunds where cause = 'cancel'`);
  const { cancelled } = await operator.done(`purchase show ${id}`);
  expect(cancelled).toMatchObject({
    penaltyCentavos: 10_000,
    refundCentavos: sums.all,
    refundedCentavos: sums.done,
  });
  expect(cancelled.paidCentavos - 10_000 - cancelled.feeKeptCentavos).toBe(sums.all);
  const { out } = await operator.run(`purchase show ${id}`);
  expect(out).toMatch(/^Se quedó +\$100\.00 de cargo por cancelar/m);
  expect(out).toContain(`${formatMoney(sums.all)}; ya se entregó ${formatMoney(sums.done)}`);
});

test('a claim that its shop did not answer is listed, shown, and paid back by the operator', async () => {
  const claimFolio = 'K7Q2M9XW4T';
  const [{ purchase, paid }] =
    await sql(`insert into claims (purchase_id, buyer_id, merchant_id, folio, notes, opened_at, due_at)
    select id, buyer_id, merchant_id, '${claimFolio}', 'No ha llegado', now() - interval '9 days', now() - interval '1 day'
    from purchases where state = 'active' and not exists (select from invoices v where v.purchase_id = purchases.id)
      and not exists (select from refunds f join allocations a on a.receipt_id = f.receipt_id
        join instalments i on i.id = a.instalment_id where i.purchase_id = purchases.id)
    order by paid_centavos desc limit 1
    returning purchase_id::int as purchase, (select paid_centavos from purchases where id = purchase_id)::int as paid`);
  expect((await operator.run('claim list')).out).toContain(claimFolio);
  expect((await operator.run('payment waiting')).out).toContain(`claim refund ${claimFolio}`);
  const { out } = await operator.run(`claim show ${claimFolio.toLowerCase()}`);
  for (const words of ['sin contestar, fuera de plazo', 'No ha llegado', formatMoney(paid)])
    expect(out).toContain(words);
  const done = await operator.done(`claim refund ${claimFolio} --reason Cerrado`);
  expect(done.purchaseId).toBe(purchase);
  const [row] =
    await sql(`select p.ended_by, p.cancel_notes, c.state from purchases p join claims c on c.purchase_id = p.id
    where p.id = ${purchase}`);
  expect(row).toEqual({ ended_by: 'claim', cancel_notes: 'Cerrado', state: 'refunded' });
  for (const [line, sentence] of [
    [`claim refund ${claimFolio} --reason Otra`, `El reclamo ${claimFolio} ya terminó.`],
    ['claim show ZZZZZZZZZZ', 'No hay ningún reclamo ZZZZZZZZZZ.'],
  ] as const)
    expect(await operator.run(line)).toMatchObject({ code: 1, err: `${sentence}\n` });
});

test('an operator reads where goods are kept and who handed them over, puts a count right, and frees no unit that is owed', async () => {
  const [{ id, reference, merchant, product }] =
    await sql(`select p.id::int, r.reference, p.merchant_id::int as merchant,
      p.product_id::int as product
    from purchases p join payment_references r on r.id = p.layaway_reference_id
    where p.state = 'active' and p.paid_centavos < p.price_centavos limit 1`);
  const { id: branch } = await operator.done(['branch', 'add', String(merchant), '--name', 'Centro']);
  const set = (free: number) => [
    'unit',
    'set',
    String(product),
    '--branch',
    String(branch),
    '--free',
    String(free),
  ];
  const why = ['--reason', 'Contadas por teléfono'];
  expect(await operator.run([...set(4), ...why, '--dry-run'])).toMatchObject({ code: 0 });
  expect(await operator.done(`unit list ${product}`)).toEqual([]);
  expect(await operator.done([...set(4), ...why])).toMatchObject({ before: null, after: 4 });
  await operator.asOwner(`insert into holds (layaway_reference_id, product_id, branch_id)
    select layaway_reference_id, product_id, ${branch} from purchases where id = ${id}`);
  expect(await operator.done(`unit list ${product}`)).toMatchObject([{ branch: 'Centro', free: 3, held: 1 }]);
  expect(await operator.done([...set(2), ...why])).toMatchObject({ before: 3, after: 2 });

  expect((await operator.run(`purchase show ${id}`)).out).toMatch(/Guardada en +Centro, desde el /);
  expect((await operator.run(`payment follow --by ${id}`)).out).toContain(
    'Guardada en Centro. Ahora: guardada',
  );
  const listed = (await operator.done('purchase list')).find((row: any) => row.id === id);
  expect(listed).toMatchObject({ keptIn: 'Centro', handedOverAt: null });

  const release = `hold release ${reference} --reason Prueba`;
  expect((await operator.run(release)).err).toContain('se debe a su comprador');
  await sql(
    `update purchases set state = 'cancelled', cancelled_at = now(), next_due_on = null where id = ${id}`,
  );
  expect((await operator.run(release)).out).toContain('Una unidad más a la venta en Centro.');
  expect(await operator.done(`unit list ${product}`)).toMatchObject([{ free: 3, held: 0 }]);
  expect((await operator.run(release)).err).toContain('Nada está guardado');
  expect((await operator.run(`audit list --subject hold:${reference}`)).out).toContain('hold release');

  // Handed over: by whom, where and when.
  await sql(
    `update instalments set paid_centavos = amount_centavos where purchase_id = ${id};
    update purchases set state = 'delivered', cancelled_at = null, paid_centavos = price_centavos where id = ${id}`,
  );
  await sql(`insert into staff (email, name, password_hash) values ('laura@example.mx', 'Laura Pérez', 'x')`);
  await sql(`insert into staff_positions (id, staff_id, merchant_id, role)
    select gen_random_uuid(), id, ${merchant}, 'owner' from staff where email = 'laura@example.mx'`);
  await sql(`insert into hand_overs (purchase_id, buyer_id, merchant_id, request_id, position_id, branch_id, code_hash, collector_name)
    select ${id}, p.buyer_id, ${merchant}, gen_random_uuid(), t.id, ${branch}, sha256('x'), 'Rosa Luna'
    from purchases p, staff_positions t where p.id = ${id} and t.merchant_id = ${merchant}`);
  expect((await operator.run(`purchase show ${id}`)).out).toMatch(
    /liquidada, entregada[^]*Entregada +.*, en Centro, por Laura Pérez, a Rosa Luna/,
  );
  expect((await operator.run(`payment follow --by ${id}`)).out).toContain(
    'Entregada en Centro por Laura Pérez',
  );
  const [delivered] = await operator.done('purchase list --state delivered');
  expect(delivered).toMatchObject({ id, handedOverBy: 'Laura Pérez', standing: 'delivered' });
});

test('who or what does not exist is refused', async () => {
  for (const [line, sentence] of [
    ['invoice list --merchant 9', 'No hay ningún comercio 9.'],
    ['invoice uninvoiced --merchant 9', 'No hay ningún comercio 9.'],
    ['purchase list --merchant 9', 'No hay ningún comercio 9.'],
    ['purchase list --buyer nadie@example.mx', 'No hay nadie con nadie@example.mx.'],
    ['purchase show 9', 'No hay ninguna compra 9.'],
  ] as const)
    expect(await operator.run(line), line).toMatchObject({ code: 1, err: `${sentence}\n` });
  expect(await operator.run('invoice list --month 2026-13')).toMatchObject({ code: 2 });
});
