import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import { sql } from 'kysely';

import type { Db } from '../../platform/db/db.ts';
import type { Strokes } from '../../platform/db/tables.ts';

/** What was agreed when the reservation was made, frozen since. */
export interface AgreedTerms {
  readonly merchantId: number;
  readonly reference: string;
  readonly agreedAt: Date;
  readonly businessName: string;
  readonly tradeName: string;
  readonly rfc: string;
  readonly address: string;
  readonly productName: string;
  readonly buyerName: string;
  readonly buyerEmail: string;
  readonly priceCentavos: Centavos;
  readonly depositCentavos: Centavos;
  readonly frequencyDays: number;
  readonly planDurationDays: number;
  readonly feeCentavos: Centavos;
  readonly feeMethods: readonly PaymentMethod[];
  readonly penaltyCentavos: Centavos;
  readonly endDaysLate: number | null;
  readonly penaltyFreeUntil: Date;
  readonly deliveryDays: number;
  readonly schedule: readonly {
    readonly number: number;
    readonly dueOn: DateOnly;
    readonly amountCentavos: Centavos;
  }[];
  readonly now: Date;
}

/** A text that the buyer agreed to; which one it is its hash proves. */
export interface GivenConsent {
  readonly kind: 'terms' | 'privacy';
  readonly version: string;
  readonly sha256: string;
  readonly givenAt: Date;
  readonly sourceAddress: string;
}

/** What a card payment's bank and provider said, by the provider's number. */
export interface CardResult {
  readonly providerId: string;
  readonly detailCode: string | null;
  /** When the bank's 3DS began, and when its answer was known; null without one. */
  readonly askedAt: Date | null;
  readonly answeredAt: Date | null;
}

export interface HandedOver {
  readonly at: Date;
  readonly branch: string;
  readonly handedBy: string;
  readonly collectorName: string | null;
  readonly codeHash: string;
  readonly signature: Strokes | null;
}

/** The terms of a purchase of a merchant, or of any where none is named. */
export async function findTerms(
  db: Db,
  { purchaseId, merchantId }: { readonly purchaseId: number; readonly merchantId: number | undefined },
): Promise<AgreedTerms | undefined> {
  const { rows } = await sql<AgreedTerms>`
    select p.merchant_id as "merchantId", r.reference, l.created_at as "agreedAt", m.business_name as "businessName", m.trade_name as "tradeName", m.rfc, m.address,
      p.product_name as "productName", b.name as "buyerName", b.email as "buyerEmail", l.price_centavos as "priceCentavos",
      l.deposit_centavos as "depositCentavos", l.frequency_days as "frequencyDays", l.plan_duration_days as "planDurationDays",
      l.service_fee_centavos as "feeCentavos", l.service_fee_methods as "feeMethods", l.penalty_centavos as "penaltyCentavos",
      l.end_days_late as "endDaysLate",
      p.penalty_free_until as "penaltyFreeUntil", p.delivery_promise_days as "deliveryDays", app_now() as now,
      (select jsonb_agg(jsonb_build_object('number', i.number, 'dueOn', i.due_on, 'amountCentavos', i.amount_centavos) order by i.number)
        from instalments i where i.purchase_id = p.id) as schedule
    from purchases p join layaway_references l on l.id = p.layaway_reference_id join payment_references r on r.id = l.id
    join merchants m on m.id = p.merchant_id join buyers b on b.id = p.buyer_id
    where p.id = ${purchaseId} and (${merchantId ?? null}::bigint is null or p.merchant_id = ${merchantId ?? null})`.execute(
    db,
  );
  return rows[0];
}

/** What the buyer had agreed to when the purchase was made, the newest of each kind first. */
export async function listConsents(db: Db, purchaseId: number): Promise<GivenConsent[]> {
  const { rows } = await sql<GivenConsent>`
    select t.kind, t.version, encode(t.sha256, 'hex') as sha256, c.given_at as "givenAt", c.source_address as "sourceAddress"
    from purchases p join consents c on c.buyer_id = p.buyer_id join legal_texts t on t.id = c.legal_text_id
    where p.id = ${purchaseId} and c.given_at <= p.created_at
    order by t.kind desc, c.given_at desc`.execute(db);
  return rows;
}

/** What was said of the card payments of a purchase that were approved. */
export async function listCardResults(db: Db, purchaseId: number): Promise<CardResult[]> {
  const { rows } = await sql<CardResult>`
    select a.provider_payment_id as "providerId", a.detail_code as "detailCode", min(h.moved_at) as "askedAt",
      case when min(h.moved_at) is not null then a.state_since end as "answeredAt"
    from card_attempts a left join state_history h
      on h.subject_kind = 'card_attempt' and h.subject_id = a.id::text and h.to_state = 'pending_3ds'
    where a.provider_payment_id is not null and a.captured_centavos > 0 and (a.reference_id in (
      select layaway_reference_id from purchases where id = ${purchaseId}
      union all select id from instalments where purchase_id = ${purchaseId})
      or a.id in (select attempt_id from card_attempt_parts where purchase_id = ${purchaseId}))
    group by a.id order by a.created_at`.execute(db);
  return rows;
}

export async function findHandedOver(db: Db, purchaseId: number): Promise<HandedOver | undefined> {
  const { rows } = await sql<HandedOver>`
    select h.created_at as at, b.name as branch, s.name as "handedBy", h.collector_name as "collectorName",
      encode(h.code_hash, 'hex') as "codeHash", h.signature
    from hand_overs h join branches b on b.id = h.branch_id join staff_positions w on w.id = h.position_id
    join staff s on s.id = w.staff_id
    where h.purchase_id = ${purchaseId}`.execute(db);
  return rows[0];
}
