/** Row types, one interface per table or view; `verify` compares them with what the migrations make. */
import type { AccountAct } from '@aparta/domain/activity';
import type { Centavos } from '@aparta/domain/money';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import type { ShopMailKind } from '@aparta/domain/shop-mails';
import type { StaffRole } from '@aparta/domain/staff-rights';
import type { Generated, GeneratedAlways } from 'kysely';

// States. What moves each of them is the thing's own table (`platform/lifecycle.ts`).
export type AttemptState =
  | 'submitting'
  | 'pending_3ds'
  | 'unknown'
  | 'held'
  | 'rejected'
  | 'not_charged'
  | 'abandoned'
  | 'applied'
  | 'returned';
export type CashNoticeOutcome = 'applied' | 'owed_back' | 'unapplied' | 'reversed' | 'noted';
export type CashReferenceState = 'requesting' | 'issued' | 'with_helper' | 'failed' | 'closed';
export type EmailState = 'waiting' | 'sent' | 'failed' | 'dropped';
export type InvoiceState =
  | 'requested'
  | 'sending'
  | 'stamped'
  | 'issued'
  | 'review'
  | 'refused'
  | 'cancelled';
export type LayawayReferenceState = 'open' | 'paid' | 'expired' | 'cancelled';
export type PurchaseState = 'active' | 'cancelled' | 'delivered';
export type RefundState = 'owed' | 'sending' | 'unknown' | 'blocked' | 'done' | 'moved_to_cash';
export type TillState = 'authorised' | 'refused' | 'reversed' | 'reversed_first';

export type RefundCause = 'not_applicable' | 'cancel' | 'surplus' | 'external';
export type RefundMethod = 'card' | 'cash';
export type ReceiptChannel = 'card' | 'till' | 'cash';
export type AllocationTarget = 'instalment' | 'service_fee' | 'refund' | 'suspense';
export type LedgerAccount =
  | 'card_clearing'
  | 'till_clearing'
  | 'cash_clearing'
  | 'merchant_funds'
  | 'layaway_deposits'
  | 'card_refund_payable'
  | 'cash_refund_payable'
  | 'suspense'
  | 'service_fee'
  | 'penalty_income'
  | 'sale_delivered'
  | 'operator_current'
  | 'provider_commission'
  | 'settlement_difference'
  | 'dispute_loss';
/** rules/ledger#postings; `{channel}_receipt` is the event of a receipt. */
export type LedgerEventKind =
  | `${ReceiptChannel}_receipt`
  | 'suspense_resolved'
  | 'card_refund'
  | 'refund_moved'
  | 'cash_refund'
  | 'cash_refund_bounced'
  | `${ReceiptChannel}_reversal`
  | 'external_refund'
  | 'cancel'
  | 'handover'
  | 'operation_settled'
  | `settlement_${SettlementKind}`;
/** Who takes the buyer's money in: the merchant, or the operator for them. */
export type Collector = 'merchant' | 'operator';
export type SettlementKind = 'deposit' | 'payout' | 'explanation' | 'void';
/** In whose hands money is; of a difference, the provider kept it. */
export type SettlementParty = Collector | 'provider';
/** Who ended a purchase: its buyer, its merchant, the rule of its terms, a claim, or money that was taken back. */
export type EndedBy = 'buyer' | 'merchant' | 'rule' | 'claim' | 'reversal';
export type EmailTopic =
  | 'purchase_cancelled'
  | 'purchase_delivered'
  | 'purchase_ended'
  | 'payment_due'
  | 'end_warned'
  | 'more_time'
  | 'plan_changed'
  | 'claim_opened'
  | 'claim_answered'
  | 'claim_withdrawn'
  | 'instalment_paid'
  | 'several_paid'
  | 'cash_owed_back'
  | 'till_reversed'
  | 'store_reversed'
  | 'card_reversed'
  | 'layaway_paid'
  | 'payment_returned'
  | 'payment_in_review'
  | 'payment_not_charged'
  | 'payment_abandoned'
  | 'refund_done'
  | 'refund_paid_in_cash'
  | 'refund_bounced'
  | 'refund_in_cash'
  | 'password_reset'
  | 'welcome'
  | 'confirm_email'
  | 'invoice_issued'
  | 'invoice_refused'
  | 'invoice_cancelled'
  | 'password_changed'
  | 'kept_session_replayed'
  | 'help_received'
  | 'help_returned'
  | 'help_in_review'
  | 'help_not_charged'
  | 'help_refunded'
  | 'help_refund_in_cash'
  | 'help_penalty'
  | 'help_cash_owed_back'
  | 'help_cash_paid_back'
  | 'help_cash_bounced'
  | 'help_reversed'
  | 'staff_invitation'
  | 'staff_password_reset'
  | 'staff_password_changed'
  | 'staff_passkey_added'
  | 'staff_digest'
  | 'staff_shop_news';

export type LegalKind = 'terms' | 'privacy';
/** How a merchant invoices (rules/invoicing#one-per-instalment); `PPD_REP` has its seat and is not built. */
export type InvoicingMode = 'PUE_POR_ABONO' | 'PPD_REP';
/** The part of the receiver's data that a refused invoice is about. */
export type FaultyField = 'rfc' | 'name' | 'postalCode' | 'taxRegime' | 'cfdiUse' | 'email';
/** `error` of a till's reply (rules/wire#till-errors). */
export type TillError = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 99;

export type ReturnReason = 'sold_out';

export interface AccountActsTable {
  id: GeneratedAlways<number>;
  buyer_id: number;
  at: Generated<Date>;
  act: AccountAct;
  device: Generated<string>;
}

export interface AlertsTable {
  id: GeneratedAlways<number>;
  kind: string;
  subject: string;
  detail: Generated<unknown>;
  times: Generated<number>;
  first_at: Generated<Date>;
  last_at: Generated<Date>;
  resolved_at: Date | null;
}

export interface AllocationsTable {
  id: GeneratedAlways<number>;
  receipt_id: number;
  target: AllocationTarget;
  instalment_id: number | null;
  refund_id: number | null;
  amount_centavos: number; // below zero in a reversal
  reverses_id: number | null;
  created_at: Generated<Date>;
}

export interface AuditLogTable {
  id: GeneratedAlways<number>;
  at: Generated<Date>;
  actor: string;
  command: string;
  subject_kind: string;
  subject_id: string;
  detail: Generated<unknown>;
  /** As whom the database saw it written; null before it asked. */
  login: GeneratedAlways<string | null>;
}

export interface BalancesTable {
  merchant_id: number;
  account: LedgerAccount;
  subject: string;
  normal: string;
  balance: string;
}

export interface BookProofsTable {
  id: GeneratedAlways<number>;
  proved_at: Generated<Date>;
  broken: number;
  took_ms: number;
}

export interface BuyersTable {
  id: GeneratedAlways<number>;
  email: string;
  user_name: string;
  name: string;
  phone: Generated<string>;
  address_street: Generated<string>;
  address_number: Generated<string>;
  address_postal_code: Generated<string>;
  password_hash: string;
  sso_id: Generated<string>;
  terms_accepted_at: Date | null;
  terms_version: string | null;
  created_at: Generated<Date>;
  email_confirmed_at: Date | null;
  wants_reminders: Generated<boolean>;
  erased_at: Date | null;
}

export interface CalendarLinksTable {
  buyer_id: number;
  id: Generated<string>;
  made_at: Generated<Date>;
}

export interface CardAttemptsTable {
  id: Generated<string>;
  buyer_id: number | null;
  merchant_id: number;
  credential_id: string;
  reference_id: number | null;
  intent_id: string | null;
  intent_hash: Buffer | null;
  state: AttemptState;
  principal_centavos: Centavos;
  fee_centavos: Centavos;
  captured_centavos: Generated<Centavos>;
  refunded_centavos: Generated<Centavos>;
  webhook_nonce: Generated<string>;
  provider_payment_id: string | null;
  three_ds_url: string | null;
  detail_code: string | null;
  /** Why a payment that was approved went back, where it did not just come too late. */
  return_reason: ReturnReason | null;
  card_type: string | null;
  card_brand: string | null;
  card_last4: string | null;
  provider_receipt: string | null;
  source_address: Generated<string>;
  request_id: Generated<string>;
  polls: Generated<number>;
  not_found_count: Generated<number>;
  polled_at: Date | null;
  created_at: Generated<Date>;
  state_since: Generated<Date>;
  card_fingerprint: Buffer | null;
  source_ip_prefix: Generated<string>;
  recheck_at: Generated<Date | null>;
  /** Of the instalment that it names; a trigger writes it. */
  purchase_id: number | null;
  /** Of a helper's attempt, with who they said they are. */
  help_link_id: string | null;
  payer_name: string | null;
  payer_email: string | null;
  /** It pays several purchases: `card_attempt_parts` names them. */
  of_several: Generated<boolean>;
}

export interface CardAttemptPartsTable {
  attempt_id: string;
  purchase_id: number;
  /** The oldest unpaid of the purchase when it was charged. */
  instalment_id: number;
  amount_centavos: Centavos;
}

export interface CashNoticesTable {
  provider: 'tapi';
  operation_id: string;
  body_hash: Buffer;
  cash_reference_id: string | null;
  status: string;
  amount_centavos: Centavos | null;
  currency: string;
  paid_at: Date | null;
  outcome: CashNoticeOutcome;
  received_at: Generated<Date>;
}

export interface CashReferencesTable {
  id: Generated<string>;
  /** Of a deposit, its layaway reference: both are payment references. */
  instalment_id: number;
  /** Null for a deposit. */
  purchase_id: number | null;
  /** Of a deposit. */
  layaway_reference_id: number | null;
  merchant_id: number;
  amount_centavos: Centavos;
  state: CashReferenceState;
  provider_reference: string | null;
  /** The range's text, '[from,to)'; compared in SQL. */
  valid: string;
  created_at: Generated<Date>;
  closed_at: Date | null;
  /** When the provider last said what became of it. */
  polled_at: Date | null;
  /** When the provider was last asked, whether it answered or not. */
  asked_at: Date | null;
  is_chosen: Generated<boolean>;
  /** By which somebody asked for it who helps; with their name, and what their browser calls it. */
  help_link_id: string | null;
  payer_name: string | null;
  payer_email: string | null;
  intent_id: string | null;
  source_ip_prefix: Generated<string>;
}

export type ClaimState = 'open' | 'answered' | 'delivered' | 'refunded' | 'withdrawn';
export interface ClaimsTable {
  id: GeneratedAlways<number>;
  purchase_id: number;
  buyer_id: number;
  merchant_id: number;
  folio: string;
  state: Generated<ClaimState>;
  notes: string;
  opened_at: Generated<Date>;
  /** Past it, it is the operator's affair too. */
  due_at: Date;
  answer: string | null;
  promised_on: string | null;
  answered_at: Date | null;
  answered_by: string | null;
  ended_at: Date | null;
}

export interface CompaniesTable {
  id: GeneratedAlways<number>;
  name: string;
  phone: Generated<string>;
  external_ref_antad: Generated<string>;
  logo_file_name: string;
  logo: Buffer | null;
  created_at: Generated<Date>;
}

export interface ConsentsTable {
  id: GeneratedAlways<number>;
  buyer_id: number;
  legal_text_id: number;
  source_address: Generated<string>;
  user_agent: Generated<string>;
  given_at: Generated<Date>;
}

export interface EmailConfirmationsTable {
  buyer_id: number;
  code_hash: Buffer;
  created_at: Generated<Date>;
  expires_at: Date;
}

export interface EndWarningsTable {
  id: GeneratedAlways<number>;
  purchase_id: number;
  due_on: string;
  step: 'first' | 'last';
  /** As things stood when it was written: its email says what holds when it goes out. */
  ends_on: string;
  written_at: Generated<Date>;
  /** When its clock stopped (what was late is paid, or the purchase ended), its end was put off, or it was written again. */
  closed_at: Date | null;
}

export interface FiscalClientsTable {
  id: GeneratedAlways<number>;
  buyer_id: number;
  rfc: string;
  name: string;
  alias: Generated<string>;
  email: string;
  phone: Generated<string>;
  street: Generated<string>;
  suburb: Generated<string>;
  postal_code: string;
  tax_regime: string;
  cfdi_use: string;
  revision: Generated<number>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  deleted_at: Date | null;
}

export interface InvoicesTable {
  id: GeneratedAlways<number>;
  instalment_id: number;
  purchase_id: number;
  buyer_id: number;
  merchant_id: number;
  fiscal_client_id: number;
  mode: Generated<InvoicingMode>;
  state: InvoiceState;
  payment_form: string;
  amount_centavos: Centavos;
  iva_basis_points: number;
  receiver: unknown;
  receiver_revision: number;
  provider_uuid: string | null;
  fiscal_folio: string | null;
  folio: Generated<string>;
  xml: Buffer | null;
  pdf: Buffer | null;
  detail_code: Generated<string>;
  detail_field: FaultyField | null;
  detail_message: Generated<string>;
  tries: Generated<number>;
  created_at: Generated<Date>;
  sent_at: Date | null;
  busy_until: Date | null;
  issued_at: Date | null;
  closed_at: Date | null;
  business_uuid: string | null;
  credited_at: Date | null;
}

export interface InvoicingCustomersTable {
  fiscal_client_id: number;
  merchant_id: number;
  provider_uuid: string;
  revision: number;
  registered_at: Generated<Date>;
}

export interface LegalTextsTable {
  id: GeneratedAlways<number>;
  kind: LegalKind;
  version: string;
  body: string;
  sha256: Buffer;
  is_template: Generated<boolean>;
  published_at: Generated<Date>;
}

/** Points of a stroke drawn on a screen, x and y in turn. */
export type Strokes = readonly (readonly number[])[];

export type HelpLinkState = 'live' | 'revoked' | 'closed';

export interface HelpLinksTable {
  id: Generated<string>;
  purchase_id: number;
  buyer_id: number;
  merchant_id: number;
  message: string;
  goal_centavos: Centavos | null;
  state: Generated<HelpLinkState>;
  created_at: Generated<Date>;
  expires_at: Date;
  ended_at: Date | null;
}

export interface HandOversTable {
  purchase_id: number;
  buyer_id: number;
  merchant_id: number;
  request_id: string;
  position_id: string;
  branch_id: number;
  device_id: string | null;
  code_hash: Buffer;
  collector_name: string | null; // null: the buyer
  signature: Strokes | null;
  created_at: Generated<Date>;
}

export interface InstalmentsTable {
  id: number;
  kind: Generated<'instalment'>;
  purchase_id: number;
  number: number;
  prefix: GeneratedAlways<string>;
  due_on: string;
  amount_centavos: Centavos;
  paid_centavos: Generated<Centavos>;
}

export interface LayawayReferencesTable {
  id: number;
  kind: Generated<'layaway'>;
  buyer_id: number;
  merchant_id: number;
  product_id: number;
  state: Generated<LayawayReferenceState>;
  source_address: Generated<string>;
  price_centavos: Centavos;
  deposit_centavos: Centavos;
  deposit_basis_points: number;
  frequency_days: number;
  plan_duration_days: number;
  service_fee_centavos: Centavos;
  service_fee_methods: PaymentMethod[];
  penalty_centavos: Centavos;
  created_at: Generated<Date>;
  expires_at: Date;
  closed_at: Date | null;
  delivery_promise_days: Generated<number>;
  /** How many days late it ends by itself; null: never. */
  end_days_late: number | null;
}

export interface LedgerAccountsTable {
  code: LedgerAccount;
  normal: 'debit' | 'credit' | 'either';
  meaning: string;
}

export interface LedgerEventsTable {
  id: GeneratedAlways<number>;
  merchant_id: number;
  kind: LedgerEventKind;
  source_id: string;
  legs: number;
  occurred_at: Generated<Date>;
  position: Generated<number>;
}

export interface LedgerTransfersTable {
  event_id: number;
  leg: number;
  legs: number;
  merchant_id: number;
  debit: LedgerAccount;
  debit_subject: string;
  credit: LedgerAccount;
  credit_subject: string;
  amount_centavos: Centavos;
}

export interface ServiceAccountsTable {
  id: Generated<string>;
  kind: 'till' | 'integrator' | 'counter';
  user_name: string;
  secret_hash: string;
  chain: string | null;
  merchant_id: number | null;
  created_at: Generated<Date>;
  revoked_at: Date | null;
  previous_secret_hash: string | null;
  previous_until: Date | null;
  addresses: Generated<string[]>;
}

export interface ServiceAccountSessionsTable {
  token_hash: Buffer;
  service_account_id: string;
  created_at: Generated<Date>;
  expires_at: Date;
}

export interface WebhookEndpointsTable {
  id: string;
  merchant_id: number;
  url: string;
  secret_ciphertext: Buffer;
  secret_key_id: string;
  previous_ciphertext: Buffer | null;
  previous_key_id: string | null;
  previous_until: Date | null;
  position: number;
  last_event_id: number;
  sequence: Generated<number>;
  failing_since: Date | null;
  busy_until: Generated<Date>;
  off_at: Date | null;
  is_dead: Generated<boolean>;
  created_at: Generated<Date>;
}

export type WebhookType =
  | 'payment.taken'
  | 'payment.reversed'
  | 'purchase.paid_off'
  | 'purchase.cancelled'
  | 'webhook.test';

export interface WebhookDeliveriesTable {
  id: Generated<string>;
  endpoint_id: string;
  sequence: number;
  type: WebhookType;
  body: string;
  created_at: Generated<Date>;
  due_at: Generated<Date | null>;
  tries: Generated<number>;
  delivered_at: Date | null;
  problem: string | null;
}

export interface TillMerchantsTable {
  service_account_id: string;
  merchant_id: number;
}

/** What a day means to a merchant: collected then, due then, open since then by its oldest unpaid day, owed back in cash since then. */
export type MerchantSumKind = 'collected' | 'due' | 'open' | 'refund' | 'kept';

export interface MerchantSumsTable {
  merchant_id: number;
  kind: MerchantSumKind;
  day: string;
  method: string;
  branch_id: number;
  amount_centavos: number;
  items: number;
}

export interface MerchantSumChangesTable {
  id: GeneratedAlways<number>;
  merchant_id: number;
  kind: MerchantSumKind;
  day: string;
  method: Generated<string>;
  branch_id: Generated<number>;
  amount_centavos: number;
  items: number;
}

export interface MerchantSumsAnewTable {
  merchant_id: number;
  kind: MerchantSumKind;
  day: string;
  method: string;
  branch_id: number;
  amount_centavos: number;
  items: number;
}

export interface MerchantSumsMissedTable {
  merchant_id: number;
  kind: MerchantSumKind;
  day: string;
  method: string;
  branch_id: number;
  amount_centavos: number;
  items: number;
}

export interface MerchantsTable {
  id: GeneratedAlways<number>;
  company_id: number;
  business_name: string;
  trade_name: string;
  rfc: Generated<string>;
  business_type_id: Generated<number>;
  contact: Generated<string>;
  phone: Generated<string>;
  email: Generated<string>;
  address: Generated<string>;
  hours: Generated<string>;
  payment_gateway_id: Generated<number>;
  deposit_basis_points: number;
  frequency_days: number;
  plan_duration_days: number;
  penalty_centavos: Generated<Centavos>;
  service_fee_centavos: Generated<Centavos>;
  service_fee_methods: Generated<PaymentMethod[]>;
  external_reference_antad: Generated<string>;
  sso_id: Generated<string>;
  invoicing_business_uuid: Generated<string>;
  created_at: Generated<Date>;
  invoicing_mode: Generated<InvoicingMode>;
  till_collected_by: Generated<Collector>;
  cash_collected_by: Generated<Collector>;
  /** Null: an invoice may be asked for for ever. */
  invoice_cut_off_days: number | null;
  /** A reservation keeps a unit from its beginning. */
  holds_references: Generated<boolean>;
  /** Whether who collects goods signs on the screen. */
  wants_signature: Generated<boolean>;
  /** Within how many days of its last payment it hands a purchase over. */
  delivery_promise_days: Generated<number>;
  /** How many days late it ends by itself; null: never. */
  end_days_late: number | null;
  /** How many changes of a plan its buyers may make, and by how many days each. */
  moves_allowed: Generated<number>;
  move_days: Generated<number>;
}

/** What a transaction has not completed yet; empty at every commit. */
export interface OpenSumsTable {
  id: GeneratedAlways<number>;
  head: 'purchase' | 'receipt' | 'event';
  head_id: number;
}

export interface OutboxTable {
  id: GeneratedAlways<number>;
  topic: EmailTopic;
  dedupe_key: string;
  buyer_id: number | null;
  recipient: string;
  facts: unknown;
  state: Generated<EmailState>;
  tries: Generated<number>;
  created_at: Generated<Date>;
  sent_at: Date | null;
  due_at: Generated<Date>;
}

export interface PasswordResetsTable {
  buyer_id: number;
  code_hash: Buffer;
  created_at: Generated<Date>;
  expires_at: Date;
}

export interface PlanChangesTable {
  id: GeneratedAlways<number>;
  purchase_id: number;
  /** Its number among the changes of the plan. */
  sequence: number;
  kind: 'moved' | 'split';
  /** The instalment's when it was changed. */
  number: number;
  from_day: string;
  to_day: string;
  amount_centavos: Centavos;
  /** What of a split one stayed on its day. */
  first_centavos: Centavos | null;
  changed_at: Generated<Date>;
}

export interface PaymentReferencesTable {
  id: number;
  kind: 'layaway' | 'instalment';
  prefix: string;
  reference: GeneratedAlways<string>;
}

export interface PickupCodesTable {
  purchase_id: number;
  buyer_id: number;
  merchant_id: number;
  ciphertext: Buffer;
  key_id: string;
  tries: Generated<number>;
  collector_name: string | null; // null: the buyer
  expires_at: Date;
}

export interface PostingsTable {
  event_id: number;
  merchant_id: number;
  account: LedgerAccount;
  subject: string;
  amount: number;
}

export interface PrintedLabelsTable {
  product_id: number;
  price_centavos: Centavos;
  deposit_centavos: Centavos;
  payments: number;
  printed_at: Generated<Date>;
  product_name: string | null;
}

export interface ProductsTable {
  id: GeneratedAlways<number>;
  merchant_id: number;
  name: string;
  description: Generated<string>;
  sku: Generated<string>;
  sale_price_centavos: Centavos;
  iva_basis_points: Generated<number>;
  invoicing_product_uuid: Generated<string>;
  withdrawn_at: Date | null;
  created_at: Generated<Date>;
  /** Grows with each change. */
  version: Generated<number>;
  /** The press at a counter that added it. */
  request_id: string | null;
  counts_units: Generated<boolean>;
}

/** What a branch has of a product that the shop counts. */
export interface ProductUnitsTable {
  product_id: number;
  branch_id: number;
  merchant_id: number;
  /** For sale. Holds take theirs by trigger. */
  free_units: number;
  entered_units: number;
}
export type HoldState = 'held' | 'released' | 'delivered';
export interface HoldsTable {
  layaway_reference_id: number;
  product_id: number;
  branch_id: number;
  state: Generated<HoldState>;
  held_at: Generated<Date>;
  ended_at: Date | null;
  checked_at: Date | null;
  missing_since: Date | null;
}
export interface ProductPicturesTable {
  product_id: number;
  content: string;
  /** WebP, like the large one. */
  small: Buffer;
  large: Buffer;
  set_at: Generated<Date>;
}

export interface ProviderCredentialsTable {
  id: Generated<string>;
  merchant_id: number;
  provider: 'clip';
  public_key: string;
  secret_ciphertext: Buffer;
  secret_key_id: string;
  created_at: Generated<Date>;
  retired_at: Date | null;
  refused_at: Date | null;
}

export interface PurchasesTable {
  id: GeneratedAlways<number>;
  buyer_id: number;
  merchant_id: number;
  product_id: number;
  layaway_reference_id: number;
  state: Generated<PurchaseState>;
  product_name: string;
  product_description: string;
  price_centavos: Centavos;
  deposit_centavos: Centavos;
  paid_centavos: Generated<Centavos>;
  service_fee_centavos: Centavos;
  service_fee_methods: PaymentMethod[];
  penalty_centavos: Centavos;
  penalty_free_until: Date;
  sso_id: Generated<string>;
  created_at: Generated<Date>;
  cancelled_at: Date | null;
  cancel_notes: Generated<string>;
  next_due_on: string | null;
  ended_by: EndedBy | null;
  delivery_promise_days: Generated<number>;
  /** How many days late it ends by itself; null: never. */
  end_days_late: number | null;
  /** Until when its shop gave it more time, and for which unpaid day. */
  more_time_until: string | null;
  more_time_for: string | null;
}

export interface KeptSessionsTable {
  id: GeneratedAlways<number>;
  buyer_id: number;
  name_hash: Buffer;
  chain_key: Buffer;
  secret_hash: Buffer;
  turn: Generated<number>;
  grace_turn: Generated<number>;
  grace_at: Date | null;
  device: Generated<string>;
  opened_at: Generated<Date>;
  proven_at: Date | null;
  expires_at: Date;
  ended_at: Date | null;
}

export interface PushSubscriptionsTable {
  id: Generated<string>;
  buyer_id: number;
  session_id: number;
  kept_id: number | null;
  endpoint: string;
  public_key: string;
  auth_secret: string;
  saved_at: Generated<Date>;
}

export interface RateCountersTable {
  key: string;
  points: Generated<number>;
  expire: number | null;
}

export interface ReceiptsTable {
  id: GeneratedAlways<number>;
  channel: ReceiptChannel;
  source_id: string;
  merchant_id: number;
  buyer_id: number | null;
  amount_centavos: Centavos;
  withdrawn_centavos: Generated<Centavos>;
  folio: string;
  received_at: Generated<Date>;
  /** Frozen by a trigger when the receipt is made. */
  collected_by: Generated<Collector>;
  settlement_id: number | null;
  /** Null before it was kept: as `received_at`. */
  paid_at: Date | null;
  /** The merchant's, frozen by a trigger when the receipt is made. */
  invoice_cut_off_days: number | null;
}

export interface ReferenceKeyTable {
  only_one: Generated<boolean>;
  key: Buffer;
}

export interface RefundsTable {
  id: GeneratedAlways<number>;
  receipt_id: number;
  attempt_id: string | null;
  purchase_id: number | null;
  layaway_reference_id: number | null;
  cause: RefundCause;
  method: RefundMethod;
  state: RefundState;
  amount_centavos: Centavos;
  refunded_before_centavos: Centavos | null;
  provider_refund_id: string | null;
  idempotency_key: string | null;
  detail_code: string | null;
  tries: Generated<number>;
  sent_at: Date | null;
  checked_at: Date | null;
  created_at: Generated<Date>;
  done_at: Date | null;
  paid_by: 'merchant' | 'operator' | null;
  paid_on_terminal: Generated<boolean>;
  evidence: string | null;
  quiet_until: Date | null;
}

export interface SettlementReportsTable {
  id: GeneratedAlways<number>;
  merchant_id: number;
  number: number;
  from_on: string;
  to_on: string;
  issued_at: Generated<Date>;
}

export interface SessionsTable {
  id: GeneratedAlways<number>;
  token_hash: Buffer;
  buyer_id: number;
  created_at: Generated<Date>;
  expires_at: Date;
  revoked_at: Date | null;
  device: Generated<string>;
  kept_id: number | null;
  /** The turn of its kept session that its first call proves; null afterwards. */
  proves_turn: number | null;
}

export interface SettlementsTable {
  id: GeneratedAlways<number>;
  merchant_id: number;
  kind: SettlementKind;
  channel: ReceiptChannel | null;
  chain: string | null;
  from_on: string | null;
  to_on: string | null;
  party: SettlementParty | null;
  amount_centavos: Centavos;
  commission_centavos: Generated<Centavos>;
  of_id: number | null;
  happened_on: string;
  evidence: string;
  round: Generated<number>;
  recorded_at: Generated<Date>;
}

export interface StateHistoryTable {
  id: GeneratedAlways<number>;
  subject_kind: 'card_attempt' | 'refund' | 'invoice' | 'cash_reference' | 'cash_notice' | 'claim';
  subject_id: string;
  from_state: string | null;
  to_state: string;
  detail: Generated<string>;
  moved_at: Generated<Date>;
}

export interface TillDaysTable {
  service_account_id: string;
  day: string;
  branch: string;
  taken_centavos: Centavos;
}

export interface TillOperationsTable {
  id: Generated<string>;
  service_account_id: string;
  chain: string;
  branch: string;
  transaction_id: string;
  body_hash: Buffer;
  operation: 'layaway' | 'payment';
  reference: string;
  amount_centavos: Centavos | null;
  state: TillState;
  error: TillError;
  message: string;
  authorisation: Generated<string>;
  created_at: Generated<Date>;
  reversed_at: Date | null;
}

export interface BranchesTable {
  id: GeneratedAlways<number>;
  merchant_id: number;
  name: string;
  address: Generated<string>;
  hours: Generated<string>;
  phone: Generated<string>;
  till_chain: string | null;
  till_branch: string | null;
  created_at: Generated<Date>;
  closed_at: Date | null;
}

export interface CounterDroppedPressesTable {
  request_id: string;
  merchant_id: number;
  position_id: string;
  created_at: Generated<Date>;
}

export interface CounterOperationsTable {
  till_operation_id: string;
  merchant_id: number;
  request_id: string;
  position_id: string;
  branch_id: number;
  method: 'cash' | 'terminal';
  amount_centavos: Centavos;
  tendered_centavos: Centavos | null;
  terminal_last4: string | null;
  terminal_authorisation: string | null;
  created_at: Generated<Date>;
  device_id: string | null;
  cut_id: string | null;
}

export interface CounterCutsTable {
  id: string;
  merchant_id: number;
  branch_id: number;
  number: number;
  position_id: string;
  closed_by: string;
  device_id: string | null;
  from_at: Date;
  until_at: Date;
  movements: number;
  float_centavos: Centavos;
  cash_taken_centavos: Centavos;
  cash_returned_centavos: Centavos;
  terminal_taken_centavos: Centavos;
  terminal_returned_centavos: Centavos;
  counted_centavos: Centavos;
  reason: string | null;
  float_reason: string | null;
}

export interface CounterDevicesTable {
  id: Generated<string>;
  merchant_id: number;
  branch_id: number;
  name: string;
  secret_hash: Buffer;
  enrolled_by: string;
  enrolled_at: Generated<Date>;
  revoked_at: Date | null;
}

export interface DeviceEnrolmentsTable {
  code_hash: Buffer;
  merchant_id: number;
  branch_id: number;
  name: string;
  position_id: string;
  expires_at: Date;
}

export interface DevicePinTriesTable {
  device_id: string;
  staff_id: string;
  tries: number;
}

export interface StaffPasswordResetsTable {
  staff_id: string;
  code_hash: Buffer;
  expires_at: Date;
}

export interface StaffPinsTable {
  staff_id: string;
  pin_hash: string;
  set_at: Generated<Date>;
}

export interface CounterRefundsTable {
  refund_id: number;
  tries: number;
  merchant_id: number;
  request_id: string;
  position_id: string;
  branch_id: number;
  amount_centavos: Centavos;
  created_at: Generated<Date>;
  cut_id: string | null;
  method: Generated<'cash' | 'terminal'>;
}

export interface CounterReversalsTable {
  till_operation_id: string;
  position_id: string;
  reason: string;
  created_at: Generated<Date>;
  cut_id: string | null;
  request_id: string | null;
}

export interface StaffTable {
  id: Generated<string>;
  email: string;
  name: string;
  password_hash: string;
  created_at: Generated<Date>;
  email_confirmed_at: Date | null;
}

export interface StaffPositionsTable {
  id: Generated<string>;
  staff_id: string;
  merchant_id: number;
  role: StaffRole;
  created_at: Generated<Date>;
  revoked_at: Date | null;
  /** Since when this owner is not mailed the shop's morning. */
  digest_off_at: Date | null;
  /** What this owner is mailed as it happens. */
  mails: Generated<ShopMailKind[]>;
}

export interface ShopMailPlacesTable {
  merchant_id: number;
  position: number;
  last_event_id: number;
}

export interface StaffPositionBranchesTable {
  position_id: string;
  merchant_id: number;
  role: StaffRole;
  branch_id: number;
}

export interface StaffInvitationsTable {
  merchant_id: number;
  email: string;
  token_hash: Buffer;
  name: string;
  role: StaffRole;
  branch_ids: Generated<number[]>;
  invited_by: string | null;
  created_at: Generated<Date>;
  expires_at: Date;
  mailed_token_hash: Buffer | null;
}

export interface StaffSessionsTable {
  token_hash: Buffer;
  position_id: string;
  created_at: Generated<Date>;
  expires_at: Date;
  device_id: string | null;
  used_at: Date | null;
  browser: Generated<string>;
  passkey_id: string | null;
}

export interface StaffPasskeysTable {
  id: Generated<string>;
  staff_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: Generated<string[]>;
  name: string;
  backed_up: boolean;
  created_at: Generated<Date>;
  used_at: Date | null;
}

export interface PasskeyChallengesTable {
  challenge_hash: Buffer;
  staff_id: string | null;
  expires_at: Date;
}

export interface OwnerPasskeyRulesTable {
  merchant_id: number;
  set_at: Generated<Date>;
}

export interface StaffActsTable {
  id: GeneratedAlways<number>;
  at: Generated<Date>;
  position_id: string;
  merchant_id: number;
  branch_id: number | null;
  act: string;
  subject_id: string;
  detail: Generated<unknown>;
  device_id: string | null;
}

export interface Database {
  account_acts: AccountActsTable;
  alerts: AlertsTable;
  allocations: AllocationsTable;
  audit_log: AuditLogTable;
  balances: BalancesTable;
  book_proofs: BookProofsTable;
  branches: BranchesTable;
  buyers: BuyersTable;
  calendar_links: CalendarLinksTable;
  card_attempt_parts: CardAttemptPartsTable;
  card_attempts: CardAttemptsTable;
  cash_notices: CashNoticesTable;
  cash_references: CashReferencesTable;
  claims: ClaimsTable;
  companies: CompaniesTable;
  consents: ConsentsTable;
  counter_cuts: CounterCutsTable;
  counter_devices: CounterDevicesTable;
  counter_dropped_presses: CounterDroppedPressesTable;
  counter_operations: CounterOperationsTable;
  counter_refunds: CounterRefundsTable;
  counter_reversals: CounterReversalsTable;
  device_enrolments: DeviceEnrolmentsTable;
  device_pin_tries: DevicePinTriesTable;
  email_confirmations: EmailConfirmationsTable;
  end_warnings: EndWarningsTable;
  fiscal_clients: FiscalClientsTable;
  hand_overs: HandOversTable;
  help_links: HelpLinksTable;
  instalments: InstalmentsTable;
  invoices: InvoicesTable;
  invoicing_customers: InvoicingCustomersTable;
  layaway_references: LayawayReferencesTable;
  ledger_accounts: LedgerAccountsTable;
  ledger_events: LedgerEventsTable;
  ledger_transfers: LedgerTransfersTable;
  legal_texts: LegalTextsTable;
  service_accounts: ServiceAccountsTable;
  service_account_sessions: ServiceAccountSessionsTable;
  merchant_sum_changes: MerchantSumChangesTable;
  merchant_sums: MerchantSumsTable;
  merchant_sums_anew: MerchantSumsAnewTable;
  merchant_sums_missed: MerchantSumsMissedTable;
  merchants: MerchantsTable;
  open_sums: OpenSumsTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_endpoints: WebhookEndpointsTable;
  outbox: OutboxTable;
  owner_passkey_rules: OwnerPasskeyRulesTable;
  passkey_challenges: PasskeyChallengesTable;
  password_resets: PasswordResetsTable;
  payment_references: PaymentReferencesTable;
  plan_changes: PlanChangesTable;
  pickup_codes: PickupCodesTable;
  postings: PostingsTable;
  printed_labels: PrintedLabelsTable;
  product_pictures: ProductPicturesTable;
  product_units: ProductUnitsTable;
  holds: HoldsTable;
  products: ProductsTable;
  provider_credentials: ProviderCredentialsTable;
  purchases: PurchasesTable;
  kept_sessions: KeptSessionsTable;
  push_subscriptions: PushSubscriptionsTable;
  rate_counters: RateCountersTable;
  receipts: ReceiptsTable;
  reference_key: ReferenceKeyTable;
  refunds: RefundsTable;
  sessions: SessionsTable;
  settlements: SettlementsTable;
  staff: StaffTable;
  shop_mail_places: ShopMailPlacesTable;
  staff_acts: StaffActsTable;
  staff_invitations: StaffInvitationsTable;
  staff_passkeys: StaffPasskeysTable;
  staff_password_resets: StaffPasswordResetsTable;
  staff_pins: StaffPinsTable;
  staff_position_branches: StaffPositionBranchesTable;
  staff_positions: StaffPositionsTable;
  staff_sessions: StaffSessionsTable;
  settlement_reports: SettlementReportsTable;
  till_days: TillDaysTable;
  till_merchants: TillMerchantsTable;
  state_history: StateHistoryTable;
  till_operations: TillOperationsTable;
}
