/** Written by the database itself: views, triggers, and rows that a migration puts in. */
export const BY_DATABASE = 'server/migrations';

/** Moves the states of tables for those who call it: what they name is what they write. */
export const LIFECYCLE_HELPER = 'server/src/platform/lifecycle.ts';

/** The one folder of `server/src` that writes each table; a folder's own sub-folders are part of it. */
export const TABLE_OWNERS: Record<string, string> = {
  alerts: 'platform',
  audit_log: 'platform',
  outbox: 'platform/email',
  rate_counters: 'platform',
  state_history: 'platform',

  account_acts: 'accounts/acts',
  branches: 'accounts/branches',
  buyers: 'accounts/buyers',
  calendar_links: 'accounts/calendar',
  consents: 'accounts/legal',
  counter_devices: 'accounts/devices',
  device_enrolments: 'accounts/devices',
  device_pin_tries: 'accounts/devices',
  email_confirmations: 'accounts/buyers',
  kept_sessions: 'accounts/sessions',
  legal_texts: 'accounts/legal',
  push_subscriptions: 'accounts/pushes',
  service_accounts: 'accounts/service-accounts',
  till_merchants: 'accounts/service-accounts',
  service_account_sessions: 'accounts/service-accounts',
  password_resets: 'accounts/buyers',
  sessions: 'accounts/sessions',
  owner_passkey_rules: 'accounts/passkeys',
  passkey_challenges: 'accounts/passkeys',
  staff_passkeys: 'accounts/passkeys',
  staff: 'accounts/staff',
  staff_acts: 'accounts/staff',
  staff_invitations: 'accounts/staff',
  staff_password_resets: 'accounts/staff',
  staff_pins: 'accounts/staff',
  staff_position_branches: 'accounts/staff',
  staff_positions: 'accounts/staff',
  staff_sessions: 'accounts/staff',

  companies: 'catalogue/merchants',
  merchants: 'catalogue/merchants',
  printed_labels: 'catalogue/labels',
  product_pictures: 'catalogue/pictures',
  product_units: 'catalogue/units',
  products: 'catalogue/merchants',

  allocations: 'ledger/receipts',
  balances: BY_DATABASE,
  book_proofs: 'ledger/books',
  ledger_accounts: BY_DATABASE,
  merchant_sum_changes: BY_DATABASE,
  merchant_sums: BY_DATABASE,
  merchant_sums_anew: BY_DATABASE,
  merchant_sums_missed: BY_DATABASE,
  ledger_events: 'ledger/books',
  ledger_transfers: 'ledger/books',
  open_sums: BY_DATABASE,
  postings: BY_DATABASE,
  receipts: 'ledger/receipts',
  refunds: 'ledger/refunds',

  fiscal_clients: 'invoicing/fiscal-clients',
  invoices: 'invoicing/invoices',
  invoicing_customers: 'invoicing/fiscal-clients',

  cash_references: 'purchases/cash-references',
  claims: 'purchases/claims',
  end_warnings: 'purchases/ending',
  hand_overs: 'purchases/hand-over',
  help_links: 'purchases/help-links',
  instalments: 'purchases/plans',
  layaway_references: 'purchases/layaways',
  payment_references: 'purchases/references',
  pickup_codes: 'purchases/hand-over',
  plan_changes: 'purchases/moving',
  purchases: 'purchases/plans',
  holds: 'purchases/holds',
  reference_key: BY_DATABASE,

  card_attempt_parts: 'payments/cards',
  card_attempts: 'payments/cards',
  cash_notices: 'payments/cash',
  counter_cuts: 'payments/counter',
  counter_operations: 'payments/counter',
  counter_dropped_presses: 'payments/counter',
  counter_refunds: 'payments/counter',
  counter_reversals: 'payments/counter',
  provider_credentials: 'payments/card-keys',
  till_days: BY_DATABASE,
  till_operations: 'payments/tills',

  settlements: 'back-office/settlements',
  settlement_reports: 'back-office/settlements',
  shop_mail_places: 'back-office/shop-mails',
  webhook_deliveries: 'back-office/webhooks',
  webhook_endpoints: 'back-office/webhooks',
};

/** Files outside the owner that may reach tables by SQL, each with why. */
export const SQL_BY_REASON: Record<string, string> = {
  'server/src/platform/email/outbox.ts':
    'addresses an email to its buyer and their browsers in the statement that queues it',
  'tools/src/demo-standing.ts': 'asks an empty or demo database how far its history got, without the server',
  'tools/src/start.ts': 'prints one product that can be reserved, without the server',
};
