/** Row types, one interface per table or view; `verify` compares them with what the migrations make. */
import type { Centavos } from '@aparta/domain/money';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import type { Generated, GeneratedAlways } from 'kysely';
import type { AttemptState } from '../payments/attempt.ts';
import type { TillError } from '../tills/copy.ts';

export type LayawayReferenceState = 'open' | 'paid' | 'expired' | 'cancelled';
export type PurchaseState = 'active' | 'cancelled';
export type RefundState = 'owed' | 'sending' | 'unknown' | 'blocked' | 'done' | 'moved_to_cash';
export type RefundCause = 'not_applicable' | 'cancel' | 'surplus' | 'outside';
export type RefundWay = 'card' | 'cash';
export type ReceiptChannel = 'card' | 'till' | 'tapi';
export type AllocationTarget = 'instalment' | 'service_fee' | 'refund' | 'suspense';
export type LedgerAccount =
  | 'card_clearing'
  | 'till_clearing'
  | 'tapi_clearing'
  | 'merchant_funds'
  | 'layaway_deposits'
  | 'card_refund_payable'
  | 'cash_refund_payable'
  | 'suspense'
  | 'service_fee'
  | 'penalty_income';
/** payments.md §2.3; `{channel}_receipt` is the event of a receipt. */
export type LedgerEventKind =
  | `${ReceiptChannel}_receipt`
  | 'suspense_resolved'
  | 'card_refund'
  | 'refund_moved'
  | `${ReceiptChannel}_reversal`
  | 'cancel';
export type MailTopic =
  | 'purchase_cancelled'
  | 'instalment_paid'
  | 'cash_owed_back'
  | 'till_reversed'
  | 'store_reversed'
  | 'layaway_paid'
  | 'payment_returned'
  | 'payment_in_review'
  | 'payment_not_charged'
  | 'payment_abandoned'
  | 'refund_done'
  | 'password_reset'
  | 'password_changed';

export interface AlarmsTable {
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

export interface BalancesTable {
  merchant_id: number;
  account: LedgerAccount;
  subject: string;
  normal: string;
  balance: string;
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
  card_type: string | null;
  card_brand: string | null;
  card_last4: string | null;
  provider_receipt: string | null;
  source_address: Generated<string>;
  request_id: Generated<string>;
  looks: Generated<number>;
  nones: Generated<number>;
  looked_at: Date | null;
  created_at: Generated<Date>;
  state_since: Generated<Date>;
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
  outcome: 'applied' | 'owed_back' | 'suspense' | 'reversed' | 'noted';
  received_at: Generated<Date>;
}

export interface CashReferencesTable {
  id: Generated<string>;
  instalment_id: number;
  purchase_id: number;
  merchant_id: number;
  amount_centavos: Centavos;
  state: 'requesting' | 'issued' | 'failed' | 'closed';
  provider_reference: string | null;
  /** The range's text, '[from,to)'; compared in SQL. */
  valid: string;
  created_at: Generated<Date>;
  closed_at: Date | null;
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

export interface MachineCredentialsTable {
  id: Generated<string>;
  kind: 'till' | 'integrator';
  user_name: string;
  secret_hash: string;
  chain: string | null;
  merchant_id: number | null;
  created_at: Generated<Date>;
  revoked_at: Date | null;
}

export interface MachineSessionsTable {
  token_hash: Buffer;
  credential_id: string;
  created_at: Generated<Date>;
  expires_at: Date;
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
}

export interface OutboxTable {
  id: GeneratedAlways<number>;
  topic: MailTopic;
  dedupe_key: string;
  buyer_id: number | null;
  recipient: string;
  facts: unknown;
  state: Generated<'waiting' | 'sent' | 'failed' | 'dropped'>;
  tries: Generated<number>;
  created_at: Generated<Date>;
  sent_at: Date | null;
}

export interface PasswordResetsTable {
  buyer_id: number;
  code_hash: Buffer;
  wrong_tries: Generated<number>;
  created_at: Generated<Date>;
  expires_at: Date;
}

export interface PaymentReferencesTable {
  id: number;
  kind: 'layaway' | 'instalment';
  prefix: string;
  reference: GeneratedAlways<string>;
}

export interface PostingsTable {
  event_id: number;
  merchant_id: number;
  account: LedgerAccount;
  subject: string;
  amount: number;
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
}

export interface ReferenceKeyTable {
  only_one: Generated<boolean>;
  key: Buffer;
}

export interface RefundsTable {
  id: GeneratedAlways<number>;
  receipt_id: number;
  attempt_id: string | null;
  cause: RefundCause;
  way: RefundWay;
  state: RefundState;
  amount_centavos: Centavos;
  refunded_before_centavos: Centavos | null;
  provider_refund_id: string | null;
  idempotency_key: string | null;
  detail_code: string | null;
  tries: Generated<number>;
  sent_at: Date | null;
  looked_at: Date | null;
  created_at: Generated<Date>;
  done_at: Date | null;
}

export interface SessionsTable {
  id: GeneratedAlways<number>;
  token_hash: Buffer;
  buyer_id: number;
  created_at: Generated<Date>;
  expires_at: Date;
  revoked_at: Date | null;
  device: Generated<string>;
}

export interface TillOperationsTable {
  id: Generated<string>;
  credential_id: string;
  chain: string;
  branch: string;
  transaction_id: string;
  body_hash: Buffer;
  operation: 'layaway' | 'payment';
  reference: string;
  amount_centavos: Centavos | null;
  state: 'authorised' | 'refused' | 'reversed' | 'reversed_first';
  error: TillError;
  message: string;
  authorisation: Generated<string>;
  created_at: Generated<Date>;
  reversed_at: Date | null;
}

export interface Database {
  alarms: AlarmsTable;
  allocations: AllocationsTable;
  balances: BalancesTable;
  buyers: BuyersTable;
  card_attempts: CardAttemptsTable;
  cash_notices: CashNoticesTable;
  cash_references: CashReferencesTable;
  companies: CompaniesTable;
  instalments: InstalmentsTable;
  layaway_references: LayawayReferencesTable;
  ledger_accounts: LedgerAccountsTable;
  ledger_events: LedgerEventsTable;
  ledger_transfers: LedgerTransfersTable;
  machine_credentials: MachineCredentialsTable;
  machine_sessions: MachineSessionsTable;
  merchants: MerchantsTable;
  outbox: OutboxTable;
  password_resets: PasswordResetsTable;
  payment_references: PaymentReferencesTable;
  postings: PostingsTable;
  products: ProductsTable;
  provider_credentials: ProviderCredentialsTable;
  purchases: PurchasesTable;
  rate_counters: RateCountersTable;
  receipts: ReceiptsTable;
  reference_key: ReferenceKeyTable;
  refunds: RefundsTable;
  sessions: SessionsTable;
  till_operations: TillOperationsTable;
}
