import { type Centavos, sum } from '@aparta/domain/money';
import type { PlannedInstalment } from '@aparta/domain/plan';
import { sql } from 'kysely';
import type { Tx } from '../db/db.ts';

/** What a purchase takes over from the reference that was paid. */
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
  readonly feeMethods: readonly ('card' | 'till' | 'cash')[];
  readonly penaltyCentavos: Centavos;
}

/** Inserts a purchase with its unpaid schedule and returns its id. Throws on `purchases_one_per_reference`. */
export async function insertPurchase(
  tx: Tx,
  terms: PurchaseTerms,
  plan: readonly (PlannedInstalment & { readonly id: number })[],
  penaltyFreeUntil: Date,
): Promise<number> {
  const { id } = await tx
    .insertInto('purchases')
    .values({
      buyer_id: terms.buyerId,
      merchant_id: terms.merchantId,
      product_id: terms.productId,
      layaway_reference_id: terms.id,
      product_name: terms.productName,
      product_description: terms.productDescription,
      price_centavos: terms.priceCentavos,
      deposit_centavos: terms.depositCentavos,
      service_fee_centavos: terms.feeCentavos,
      service_fee_methods: [...terms.feeMethods],
      penalty_centavos: terms.penaltyCentavos,
      penalty_free_until: penaltyFreeUntil,
      cancelled_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('payment_references')
    .values(
      plan.map((instalment) => ({
        id: instalment.id,
        kind: 'instalment' as const,
        prefix: String(instalment.number),
      })),
    )
    .execute();
  await tx
    .insertInto('instalments')
    .values(
      plan.map((instalment) => ({
        id: instalment.id,
        purchase_id: id,
        number: instalment.number,
        due_on: instalment.dueOn,
        amount_centavos: instalment.amountCentavos,
      })),
    )
    .execute();
  return id;
}

/** Adds applied money to instalments and to their purchase; what they owe is refused beyond zero by constraint. */
export async function addPaid(
  tx: Tx,
  purchaseId: number,
  parts: readonly { readonly instalmentId: number; readonly amountCentavos: Centavos }[],
): Promise<void> {
  for (const part of parts) {
    await tx
      .updateTable('instalments')
      .set({ paid_centavos: sql<Centavos>`paid_centavos + ${part.amountCentavos}` })
      .where('id', '=', part.instalmentId)
      .where('purchase_id', '=', purchaseId)
      .execute();
  }
  await tx
    .updateTable('purchases')
    .set({ paid_centavos: sql<Centavos>`paid_centavos + ${sum(parts.map((part) => part.amountCentavos))}` })
    .where('id', '=', purchaseId)
    .execute();
}
