import { randomUUID } from 'node:crypto';
import type { Db } from '@aparta/server/platform/db/db';
import { together } from '@aparta/server/platform/db/together';
import { applyPayment } from '@aparta/server/purchases/plans/apply-payment';
import { lockPurchaseOf } from '@aparta/server/purchases/plans/store';
import { centavos, zero } from '@aparta/domain/money';
import { dammCheckDigit } from '@aparta/domain/payment-reference';
import { type Apply, benchAgainstRaw, callTill, type Given } from './against-raw.ts';
import type { DurablePostgres } from './durable-postgres.ts';
import { openReferences } from './shop.ts';

/** Prints how many instalments are paid per second, by a till's call and by the transaction that pays off alone. */
export async function benchInstalments(log: (line: string) => void, given?: Given): Promise<void> {
  await benchAgainstRaw(
    {
      name: 'Instalments',
      ways: [
        { name: 'till call', apply: payInstalment },
        { name: 'applyPayment alone', apply: payOffAlone },
      ],
      chooseIds: idsInARow,
      make: makePurchases,
      count: 'select count(*) from instalments where number = 2 and paid_centavos = amount_centavos',
    },
    log,
    given,
  );
}

const payInstalment: Apply = async (counter, id, slot) =>
  callTill(counter, '/PosOperations/payment', { reference: `2${id}`, pesos: 1_200, slot });

const payOffAlone: Apply = async ({ db }, id) => {
  await together(db, { keys: [`reference ${id}`] }, async (tx) => {
    const purchase = await lockPurchaseOf(tx, { id, prefix: '2' });
    if (purchase === undefined) throw new Error(`no purchase of the instalment ${id}`);
    const money = { principalCentavos: centavos(120_000), feeCentavos: zero };
    return applyPayment(tx, purchase, { channel: 'till', sourceId: randomUUID(), ...money });
  });
};

/** One after the other but for their check digits, from 5,000,000,000: a payment draws no ids that could meet them. */
async function idsInARow(_db: Db, count: number): Promise<number[]> {
  return Array.from({ length: count }, (_, n) => {
    const digits = String(500_000_000 + n);
    return Number(digits + dammCheckDigit(digits));
  });
}

/** Of a purchase's layaway reference, above the id of its second instalment; then of the other instalments. */
const [LAYAWAY, FIRST, THIRD] = [1_000_000_000, 2_000_000_000, 3_000_000_000];

/** Purchases whose deposit is paid and whose second instalment has one of the ids, as `reserve` leaves them, its email apart. */
async function makePurchases(
  postgres: DurablePostgres,
  database: string,
  ids: readonly number[],
  there: number,
): Promise<void> {
  await openReferences(
    postgres,
    database,
    ids.map((id) => id + LAYAWAY),
    there,
  );
  await postgres.run(database, [
    'begin',
    `update layaway_references set state = 'paid', closed_at = now() where state = 'open'`,
    `create temporary table made on commit drop as
     with bought as (
       insert into purchases (buyer_id, merchant_id, product_id, layaway_reference_id, product_name, product_description,
         price_centavos, deposit_centavos, paid_centavos, service_fee_centavos, service_fee_methods, penalty_centavos,
         penalty_free_until)
       select l.buyer_id, l.merchant_id, l.product_id, l.id, p.name, p.description, l.price_centavos, l.deposit_centavos,
         l.deposit_centavos, l.service_fee_centavos, l.service_fee_methods, l.penalty_centavos, now() + interval '5 days'
       from layaway_references l join products p on p.id = l.product_id
       where not exists (select from purchases where layaway_reference_id = l.id)
       order by l.id
       returning *)
     select *, gen_random_uuid()::text as source_id from bought`,
    `create temporary table planned on commit drop as
     select layaway_reference_id - ${LAYAWAY} + shift as id, id as purchase_id, number,
       current_date + 30 * (number - 1) as due_on, amount, case number when 1 then amount else 0 end as paid
     from made cross join
       (values (1, ${FIRST}, 60000), (2, 0, 120000), (3, ${THIRD}, 120000)) as plan (number, shift, amount)`,
    `insert into payment_references (id, kind, prefix) select id, 'instalment', number from planned`,
    `insert into instalments (id, purchase_id, number, due_on, amount_centavos, paid_centavos) select * from planned`,
    `insert into receipts (channel, source_id, merchant_id, buyer_id, amount_centavos, folio)
     select 'till', source_id, merchant_id, buyer_id, deposit_centavos, 'R-' || layaway_reference_id from made`,
    `insert into allocations (receipt_id, target, instalment_id, amount_centavos)
     select r.id, 'instalment', p.id, p.paid
     from made m join receipts r using (source_id) join planned p on p.purchase_id = m.id and p.number = 1`,
    `insert into ledger_events (merchant_id, kind, source_id, legs)
     select merchant_id, 'till_receipt', source_id, 1 from made`,
    `insert into ledger_transfers (event_id, leg, legs, merchant_id, debit, debit_subject, credit, credit_subject, amount_centavos)
     select e.id, 1, 1, m.merchant_id, 'till_clearing', m.source_id, 'layaway_deposits', m.id, m.deposit_centavos
     from made m join ledger_events e using (source_id)`,
    'commit',
  ]);
}
