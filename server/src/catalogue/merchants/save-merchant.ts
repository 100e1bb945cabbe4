import { DELIVERY_DAYS } from '@aparta/domain/claims';
import { isEmailAddress } from '@aparta/domain/email-address';
import { parseRfc } from '@aparta/domain/fiscal';
import { type Centavos, centavos } from '@aparta/domain/money';
import { MOVE_DAYS, MOVES_ALLOWED } from '@aparta/domain/moving';
import { END_DAYS_LATE } from '@aparta/domain/plan-end';
import { planProblem, type PlanTerms } from '@aparta/domain/plan';
import type { FeePolicy } from '@aparta/domain/service-fee';

import type { Tx } from '../../platform/db/db.ts';
import type { Collector } from '../../platform/db/tables.ts';
import { demandNoAddress, RefusedChange } from '../../platform/refused-change.ts';
import { changesOf, demandLength, type Changes } from './changes.ts';
import {
  insertMerchant,
  listOnSale,
  lockCompany,
  lockMerchant,
  type MerchantColumns,
  updateMerchant,
} from './store.ts';

/** What the operator says of a merchant. */
export interface MerchantEntry {
  readonly companyId: number;
  readonly businessName: string;
  readonly tradeName: string;
  /** Empty, or an RFC; kept in SAT's form. */
  readonly rfc: string;
  readonly contact: string;
  readonly phone: string;
  readonly email: string;
  readonly address: string;
  /** When it is open, in its own words. */
  readonly hours: string;
  /** 20 % = 2000. */
  readonly depositBasisPoints: number;
  readonly frequencyDays: number;
  readonly planDurationDays: number;
  readonly penaltyCentavos: Centavos;
  readonly serviceFee: FeePolicy;
  /** The merchant's identity at the invoicing provider; empty while it has none. */
  readonly invoicingBusinessUuid: string;
  /** Who takes in what tills and stores collect (rules/ledger#who-collects). A card is always the merchant's own. */
  readonly tillCollectedBy: Collector;
  readonly cashCollectedBy: Collector;
  /** In days after the month's end (rules/invoicing#cut-off); null: for ever. */
  readonly invoiceCutOffDays: number | null;
  /** Whether a reservation keeps a unit from its beginning, and not only once its deposit is paid (rules/goods#holds). */
  readonly holdsReferences: boolean;
  /** Whether who collects goods signs on the screen (rules/goods#hand-over). */
  readonly wantsSignature: boolean;
  /** Within how many days of its last payment a purchase is handed over (rules/goods#claims). */
  readonly deliveryDays: number;
  /** How many days late a purchase ends by itself (rules/goods#ended-by-rule); null: never. */
  readonly endDaysLate: number | null;
  /** How many changes its buyers may make of a plan, and by how many days each (rules/layaways#moving). */
  readonly movesAllowed: number;
  readonly moveDays: number;
}

/** The default: the merchant has the contract with the chain, the operator the one with the cash provider. */
export const WHO_COLLECTS = {
  tillCollectedBy: 'merchant',
  cashCollectedBy: 'operator',
} as const satisfies Partial<MerchantEntry>;

/** A plan that cannot divide this price can divide none. */
const LARGEST_PRICE = centavos(99_999_999_999);

/** Adds a merchant. Refuses a plan that could be offered for no price (rules/layaways#plan) and a company that is not there. */
export async function addMerchant(tx: Tx, entry: MerchantEntry): Promise<number> {
  const clean = checked(entry);
  demandPlan(clean);
  if ((await lockCompany(tx, entry.companyId)) === undefined)
    throw new RefusedChange('company_unknown', { id: entry.companyId });
  return insertMerchant(tx, columnsOf(clean));
}

/**
 * Changes what is given of a merchant. References that were made keep their terms. Refuses a plan that cannot be offered
 * for one of its products on sale.
 */
export async function editMerchant(
  tx: Tx,
  id: number,
  given: Partial<MerchantEntry>,
): Promise<Changes<MerchantEntry> & { readonly now: MerchantEntry }> {
  const before = await demandMerchant(tx, id);
  const changes = changesOf(before, checked(given));
  const now = { ...before, ...changes.after };
  demandPlan(now);
  if (now.companyId !== before.companyId && (await lockCompany(tx, now.companyId)) === undefined)
    throw new RefusedChange('company_unknown', { id: now.companyId });
  for (const { id: productId, name, sale_price_centavos } of await listOnSale(tx, id)) {
    const problem = planProblem(termsOf(now, sale_price_centavos));
    if (problem !== undefined)
      throw new RefusedChange(`plan_${problem}_of_product`, { product: productId, name });
  }
  await updateMerchant(tx, id, columnsOf(now));
  return { ...changes, now };
}

/** The merchant as the operator entered it, locked: its products and its plan change one after the other. */
export async function demandMerchant(tx: Tx, id: number): Promise<MerchantEntry> {
  const row = await lockMerchant(tx, id);
  if (row === undefined) throw new RefusedChange('merchant_unknown', { id });
  return {
    companyId: row.company_id,
    businessName: row.business_name,
    tradeName: row.trade_name,
    rfc: row.rfc,
    contact: row.contact,
    phone: row.phone,
    email: row.email,
    address: row.address,
    hours: row.hours,
    depositBasisPoints: row.deposit_basis_points,
    frequencyDays: row.frequency_days,
    planDurationDays: row.plan_duration_days,
    penaltyCentavos: row.penalty_centavos,
    serviceFee: { amountCentavos: row.service_fee_centavos, methods: row.service_fee_methods },
    invoicingBusinessUuid: row.invoicing_business_uuid,
    tillCollectedBy: row.till_collected_by,
    cashCollectedBy: row.cash_collected_by,
    invoiceCutOffDays: row.invoice_cut_off_days,
    holdsReferences: row.holds_references,
    wantsSignature: row.wants_signature,
    deliveryDays: row.delivery_promise_days,
    endDaysLate: row.end_days_late,
    movesAllowed: row.moves_allowed,
    moveDays: row.move_days,
  };
}

type Plan = Pick<MerchantEntry, 'depositBasisPoints' | 'frequencyDays' | 'planDurationDays'>;

/** What a merchant's plan makes of a price. */
export function termsOf(plan: Plan, priceCentavos: Centavos): PlanTerms {
  return {
    priceCentavos,
    depositBasisPoints: plan.depositBasisPoints,
    frequencyDays: plan.frequencyDays,
    durationDays: plan.planDurationDays,
  };
}

function demandPlan(plan: Plan): void {
  const problem = planProblem(termsOf(plan, LARGEST_PRICE));
  if (problem !== undefined) throw new RefusedChange(`plan_${problem}`);
}

function checked<Entry extends Partial<MerchantEntry>>(entry: Entry): Entry {
  const { businessName, tradeName, rfc, email, contact, phone, address, hours, deliveryDays, endDaysLate } =
    entry;
  const { movesAllowed, moveDays } = entry;
  if (businessName !== undefined) demandLength('businessName', businessName, 1, 120);
  if (tradeName !== undefined) {
    demandLength('tradeName', tradeName, 1, 120);
    demandNoAddress('tradeName', tradeName);
  }
  for (const [field, text] of Object.entries({ contact, phone })) demandLength(field, text ?? '', 0, 120);
  demandLength('address', address ?? '', 0, 400);
  demandLength('hours', hours ?? '', 0, 200);
  if (deliveryDays !== undefined && deliveryDays > DELIVERY_DAYS.most)
    throw new RefusedChange('delivery_days', DELIVERY_DAYS);
  if (endDaysLate && (endDaysLate < END_DAYS_LATE.least || endDaysLate > END_DAYS_LATE.most))
    throw new RefusedChange('end_days_late', END_DAYS_LATE);
  if (movesAllowed !== undefined && movesAllowed > MOVES_ALLOWED.most)
    throw new RefusedChange('moves_allowed', MOVES_ALLOWED);
  if (moveDays !== undefined && (moveDays < MOVE_DAYS.least || moveDays > MOVE_DAYS.most))
    throw new RefusedChange('move_days', MOVE_DAYS);
  if (email && !isEmailAddress(email)) throw new RefusedChange('email_wrong', { email });
  if (!rfc) return entry;
  const parsed = parseRfc(rfc);
  if (!parsed.ok) throw new RefusedChange('rfc_wrong', { rfc });
  return { ...entry, rfc: parsed.rfc };
}

function columnsOf({ serviceFee, ...entry }: MerchantEntry): MerchantColumns {
  return {
    company_id: entry.companyId,
    business_name: entry.businessName,
    trade_name: entry.tradeName,
    rfc: entry.rfc,
    contact: entry.contact,
    phone: entry.phone,
    email: entry.email,
    address: entry.address,
    hours: entry.hours,
    deposit_basis_points: entry.depositBasisPoints,
    frequency_days: entry.frequencyDays,
    plan_duration_days: entry.planDurationDays,
    penalty_centavos: entry.penaltyCentavos,
    service_fee_centavos: serviceFee.amountCentavos,
    service_fee_methods: [...serviceFee.methods],
    invoicing_business_uuid: entry.invoicingBusinessUuid,
    till_collected_by: entry.tillCollectedBy,
    cash_collected_by: entry.cashCollectedBy,
    invoice_cut_off_days: entry.invoiceCutOffDays,
    holds_references: entry.holdsReferences,
    wants_signature: entry.wantsSignature,
    delivery_promise_days: entry.deliveryDays,
    end_days_late: entry.endDaysLate,
    moves_allowed: entry.movesAllowed,
    move_days: entry.moveDays,
  };
}
