import { type Centavos, zero } from '@aparta/domain/money';
import type { PlannedInstalment } from '@aparta/domain/plan';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import { sql } from 'kysely';
import { writtenTogether } from '../../platform/db/batch.ts';
import { builtOnce } from '../../platform/db/built-once.ts';
import { rowsAs } from '../../platform/db/rows.ts';
import { defer } from '../../platform/db/transaction.ts';
import { type NewReference, referenceInsert } from '../references/store.ts';

/** What a purchase takes over from its layaway reference. */
export interface PurchaseTerms {
  readonly id: number;
  readonly buyerId: number;
  readonly merchantId: number;
  readonly productId: number;
  readonly productName: string;
  readonly productDescription: string;
  readonly priceCentavos: Centavos;
  readonly depositCentavos: Centavos;
  readonly feeCentavos: Centavos;
  readonly feeMethods: readonly PaymentMethod[];
  readonly penaltyCentavos: Centavos;
  readonly deliveryDays: number;
  readonly endDaysLate: number | null;
}

export interface NewPurchase {
  /** Drawn by `newPurchaseIds`, as are those of its instalments. */
  readonly id: number;
  readonly terms: PurchaseTerms;
  readonly plan: readonly (PlannedInstalment & { readonly id: number })[];
  readonly penaltyFreeUntil: Date;
}

/**
 * Inserts a purchase with its plan, whose deposit is paid. `purchases_one_per_reference` refuses a second one, at the latest at
 * the commit. Paid from the start: each change of a row that its own transaction made has all its foreign keys looked up again.
 */
export const insertPurchase = writtenTogether<NewPurchase>(async (tx, purchases) => {
  const bought = purchases.map(({ id, terms, plan: [, next], penaltyFreeUntil }) => ({
    ...terms,
    id,
    reference: terms.id,
    // An array of arrays would have to be a rectangle.
    feeMethods: `{${terms.feeMethods.join()}}`,
    penaltyFreeUntil,
    nextDueOn: next?.dueOn,
  }));
  const planned = purchases.flatMap(({ id, terms, plan }) =>
    plan.map((instalment, at) => ({
      ...instalment,
      purchase: id,
      prefix: String(instalment.number),
      paidCentavos: at === 0 ? terms.depositCentavos : zero,
    })),
  );
  await defer(tx, purchaseInsert(tx, { bought, planned }));
});

const purchaseInsert = builtOnce(
  (_, { bought, planned }: { bought: readonly Bought[]; planned: readonly Planned[] }) => sql`
      with purchase as (
        insert into purchases (id, buyer_id, merchant_id, product_id, layaway_reference_id, product_name, product_description,
          price_centavos, deposit_centavos, paid_centavos, service_fee_centavos, service_fee_methods, penalty_centavos,
          penalty_free_until, next_due_on, delivery_promise_days, end_days_late)
        overriding system value
        select id, "buyerId", "merchantId", "productId", reference, "productName", "productDescription", "priceCentavos",
          "depositCentavos", "depositCentavos", "feeCentavos", "feeMethods"::text[], "penaltyCentavos",
          "penaltyFreeUntil", "nextDueOn", "deliveryDays", "endDaysLate"
        from ${rowsAs('bought', BOUGHT, bought)}
      ), printed as (
        ${referenceInsert('instalment', planned)}
      )
      insert into instalments (id, purchase_id, number, due_on, amount_centavos, paid_centavos)
      select id, purchase, number, "dueOn", "amountCentavos", "paidCentavos" from ${rowsAs('planned', PLANNED, planned)}`,
);

type Bought = { readonly [column in keyof typeof BOUGHT]: unknown };
type Planned = NewReference & { readonly [column in Exclude<keyof typeof PLANNED, 'id'>]: unknown };

const BOUGHT = {
  id: 'bigint',
  reference: 'bigint',
  buyerId: 'bigint',
  merchantId: 'bigint',
  productId: 'bigint',
  productName: 'text',
  productDescription: 'text',
  priceCentavos: 'bigint',
  depositCentavos: 'bigint',
  feeCentavos: 'bigint',
  feeMethods: 'text',
  penaltyCentavos: 'bigint',
  penaltyFreeUntil: 'timestamptz',
  nextDueOn: 'date',
  deliveryDays: 'int',
  endDaysLate: 'int',
} as const;
const PLANNED = {
  id: 'bigint',
  purchase: 'bigint',
  number: 'int',
  dueOn: 'date',
  amountCentavos: 'bigint',
  paidCentavos: 'bigint',
} as const;
