/**
 * What each column is. Personal is what tells of a buyer: what becomes of it when they leave, and whether they are shown it when
 * they ask. Money ends in `_centavos` and is kept, as is all that is neither. A test compares this with the database, and erases
 * and exports a buyer by it.
 */
export interface TableColumns {
  readonly personal?: Readonly<Record<string, Fate>>;
  /** Neither personal nor money. */
  readonly other: string;
}

export type Fate =
  /** Gone when they are erased; shown when they ask. */
  | 'erased'
  /** Gone when they are erased, and shown to nobody. */
  | 'secret'
  /** Kept by law, and shown when they ask. */
  | 'kept';

export const COLUMNS: Readonly<Record<string, TableColumns>> = {
  account_acts: { personal: { device: 'erased' }, other: 'id buyer_id at act' },
  alerts: { other: 'id kind subject detail times first_at last_at resolved_at' },
  allocations: { other: 'id receipt_id target instalment_id refund_id reverses_id created_at' },
  audit_log: { other: 'id at actor command subject_kind subject_id detail login' },
  book_proofs: { other: 'id proved_at broken took_ms' },
  branches: { other: 'id merchant_id name address hours phone till_chain till_branch created_at closed_at' },
  buyers: {
    personal: {
      email: 'erased',
      user_name: 'erased',
      name: 'erased',
      phone: 'erased',
      address_street: 'erased',
      address_number: 'erased',
      address_postal_code: 'erased',
      password_hash: 'secret',
    },
    other:
      'id sso_id terms_accepted_at terms_version created_at email_confirmed_at wants_reminders erased_at',
  },
  calendar_links: { other: 'buyer_id id made_at' },
  card_attempt_parts: { other: 'attempt_id purchase_id instalment_id' },
  card_attempts: {
    personal: {
      card_brand: 'erased',
      card_last4: 'erased',
      card_fingerprint: 'secret',
      source_address: 'erased',
      source_ip_prefix: 'secret',
      three_ds_url: 'secret',
      request_id: 'secret',
      payer_name: 'erased',
      payer_email: 'secret',
    },
    other:
      'id buyer_id merchant_id credential_id reference_id intent_id intent_hash state webhook_nonce provider_payment_id detail_code return_reason ' +
      'card_type provider_receipt polls not_found_count polled_at recheck_at created_at state_since purchase_id help_link_id ' +
      'of_several',
  },
  cash_notices: {
    other: 'provider operation_id body_hash cash_reference_id status currency paid_at outcome received_at',
  },
  cash_references: {
    personal: { payer_name: 'erased', payer_email: 'secret', source_ip_prefix: 'secret' },
    other:
      'id instalment_id purchase_id merchant_id state provider_reference valid created_at closed_at polled_at asked_at is_chosen layaway_reference_id ' +
      'help_link_id intent_id',
  },
  claims: {
    personal: { notes: 'erased', answer: 'erased' },
    other:
      'id purchase_id buyer_id merchant_id folio state opened_at due_at promised_on answered_at answered_by ended_at',
  },
  companies: { other: 'id name phone external_ref_antad logo_file_name logo created_at' },
  consents: {
    personal: { source_address: 'erased', user_agent: 'erased' },
    other: 'id buyer_id legal_text_id given_at',
  },
  counter_cuts: {
    other:
      'id merchant_id branch_id number position_id closed_by device_id from_at until_at movements reason float_reason',
  },
  counter_dropped_presses: { other: 'request_id merchant_id position_id created_at' },
  // The last digits stand on the slip that the shop keeps.
  counter_operations: {
    personal: { terminal_last4: 'kept' },
    other:
      'till_operation_id merchant_id request_id position_id branch_id method terminal_authorisation created_at device_id cut_id',
  },
  counter_refunds: {
    other: 'refund_id tries merchant_id request_id position_id branch_id created_at cut_id method',
  },
  counter_reversals: { other: 'till_operation_id position_id reason created_at cut_id request_id' },
  email_confirmations: { personal: { code_hash: 'secret' }, other: 'buyer_id created_at expires_at' },
  end_warnings: { other: 'id purchase_id due_on step ends_on written_at closed_at' },
  fiscal_clients: {
    personal: {
      rfc: 'erased',
      name: 'erased',
      alias: 'erased',
      email: 'erased',
      phone: 'erased',
      street: 'erased',
      suburb: 'erased',
      postal_code: 'erased',
    },
    other: 'id buyer_id tax_regime cfdi_use revision created_at updated_at deleted_at',
  },
  hand_overs: {
    personal: { collector_name: 'erased', signature: 'erased' },
    other: 'purchase_id buyer_id merchant_id request_id position_id branch_id device_id code_hash created_at',
  },
  help_links: {
    personal: { message: 'erased' },
    other: 'id purchase_id buyer_id merchant_id state created_at expires_at ended_at',
  },
  instalments: { other: 'id kind purchase_id number prefix due_on' },
  invoices: {
    personal: { receiver: 'erased', detail_message: 'erased', xml: 'kept', pdf: 'kept' },
    other:
      'id instalment_id purchase_id buyer_id merchant_id fiscal_client_id mode state payment_form iva_basis_points receiver_revision ' +
      'business_uuid provider_uuid fiscal_folio folio detail_code detail_field tries created_at sent_at busy_until issued_at closed_at credited_at',
  },
  invoicing_customers: { other: 'fiscal_client_id merchant_id provider_uuid revision registered_at' },
  kysely_migration: { other: 'name timestamp' },
  layaway_references: {
    personal: { source_address: 'erased' },
    other:
      'id kind buyer_id merchant_id product_id state deposit_basis_points frequency_days plan_duration_days service_fee_methods ' +
      'created_at expires_at closed_at delivery_promise_days end_days_late',
  },
  holds: {
    other: 'layaway_reference_id product_id branch_id state held_at ended_at checked_at missing_since',
  },
  ledger_accounts: { other: 'code normal meaning' },
  ledger_events: { other: 'id merchant_id kind source_id legs occurred_at position' },
  ledger_transfers: { other: 'event_id leg legs merchant_id debit debit_subject credit credit_subject' },
  legal_texts: { other: 'id kind version body sha256 is_template published_at' },
  merchant_sum_changes: { other: 'id merchant_id kind day method branch_id items' },
  merchant_sums: { other: 'merchant_id kind day method branch_id items' },
  // People of the shop stand here too, and are not ours to forget.
  merchants: {
    other:
      'id company_id business_name trade_name rfc business_type_id contact phone email address hours payment_gateway_id ' +
      'till_collected_by cash_collected_by deposit_basis_points frequency_days plan_duration_days service_fee_methods ' +
      'external_reference_antad sso_id invoicing_business_uuid invoicing_mode invoice_cut_off_days holds_references wants_signature ' +
      'delivery_promise_days end_days_late moves_allowed move_days created_at',
  },
  open_sums: { other: 'id head head_id' },
  outbox: {
    personal: { recipient: 'erased', facts: 'erased' },
    other: 'id topic dedupe_key buyer_id state tries created_at sent_at due_at',
  },
  password_resets: { personal: { code_hash: 'secret' }, other: 'buyer_id created_at expires_at' },
  payment_references: { other: 'id kind prefix reference' },
  plan_changes: { other: 'id purchase_id sequence kind number from_day to_day changed_at' },
  // Who may collect is read from where the code is; the digits themselves are nobody's but the buyer's.
  pickup_codes: {
    personal: { collector_name: 'erased', ciphertext: 'secret' },
    other: 'purchase_id buyer_id merchant_id key_id tries expires_at',
  },
  printed_labels: { other: 'product_id payments printed_at product_name' },
  // What the shop sells, drawn anew without where and when it was taken.
  product_units: { other: 'product_id branch_id merchant_id free_units entered_units' },
  product_pictures: { other: 'product_id content small large set_at' },
  products: {
    other:
      'id merchant_id name description sku iva_basis_points invoicing_product_uuid withdrawn_at created_at version request_id counts_units',
  },
  provider_credentials: {
    other:
      'id merchant_id provider public_key secret_ciphertext secret_key_id created_at retired_at refused_at',
  },
  purchases: {
    personal: { cancel_notes: 'erased' },
    other:
      'id buyer_id merchant_id product_id layaway_reference_id state product_name product_description service_fee_methods ' +
      'penalty_free_until sso_id created_at cancelled_at next_due_on ended_by delivery_promise_days end_days_late more_time_until more_time_for',
  },
  kept_sessions: {
    personal: { device: 'erased', name_hash: 'secret', secret_hash: 'secret', chain_key: 'secret' },
    other: 'id buyer_id turn grace_turn grace_at opened_at proven_at expires_at ended_at',
  },
  push_subscriptions: {
    personal: { endpoint: 'secret', public_key: 'secret', auth_secret: 'secret' },
    other: 'id buyer_id session_id kept_id saved_at',
  },
  rate_counters: { other: 'key points expire' },
  receipts: {
    other:
      'id channel source_id merchant_id buyer_id folio received_at paid_at collected_by settlement_id invoice_cut_off_days',
  },
  reference_key: { other: 'only_one key' },
  refunds: {
    personal: { evidence: 'kept' },
    other:
      'id receipt_id attempt_id purchase_id layaway_reference_id cause method state provider_refund_id idempotency_key detail_code tries ' +
      'sent_at checked_at created_at done_at paid_by paid_on_terminal quiet_until',
  },
  service_account_sessions: { other: 'token_hash service_account_id created_at expires_at' },
  service_accounts: {
    other:
      'id kind user_name secret_hash previous_secret_hash previous_until chain merchant_id addresses created_at revoked_at',
  },
  till_merchants: { other: 'service_account_id merchant_id' },
  sessions: {
    personal: { device: 'erased', token_hash: 'secret' },
    other: 'id buyer_id created_at expires_at revoked_at kept_id proves_turn',
  },
  counter_devices: { other: 'id merchant_id branch_id name secret_hash enrolled_by enrolled_at revoked_at' },
  device_enrolments: { other: 'code_hash merchant_id branch_id name position_id expires_at' },
  device_pin_tries: { other: 'device_id staff_id tries' },
  // Of the shop's people: their name and email address stay with what they did, as on the merchant's receipts.
  staff: { other: 'id email name password_hash created_at email_confirmed_at' },
  shop_mail_places: { other: 'merchant_id position last_event_id' },
  staff_acts: { other: 'id at position_id merchant_id branch_id act subject_id detail device_id' },
  staff_invitations: {
    other:
      'merchant_id email token_hash name role branch_ids invited_by created_at expires_at mailed_token_hash',
  },
  owner_passkey_rules: { other: 'merchant_id set_at' },
  passkey_challenges: { other: 'challenge_hash staff_id expires_at' },
  staff_passkeys: {
    other: 'id staff_id credential_id public_key counter transports name backed_up created_at used_at',
  },
  staff_password_resets: { other: 'staff_id code_hash expires_at' },
  staff_pins: { other: 'staff_id pin_hash set_at' },
  staff_position_branches: { other: 'position_id merchant_id role branch_id' },
  staff_positions: { other: 'id staff_id merchant_id role created_at revoked_at digest_off_at mails' },
  staff_sessions: {
    other: 'token_hash position_id created_at expires_at device_id used_at browser passkey_id',
  },
  settlement_reports: { other: 'id merchant_id number from_on to_on issued_at' },
  settlements: {
    other:
      'id merchant_id kind channel chain from_on to_on party of_id happened_on evidence round recorded_at',
  },
  state_history: { other: 'id subject_kind subject_id from_state to_state detail moved_at' },
  till_days: { other: 'service_account_id day branch' },
  till_operations: {
    other:
      'id service_account_id chain branch transaction_id body_hash operation reference state error message authorisation ' +
      'created_at reversed_at',
  },
  webhook_deliveries: {
    other: 'id endpoint_id sequence type body created_at due_at tries delivered_at problem',
  },
  webhook_endpoints: {
    other:
      'id merchant_id url secret_ciphertext secret_key_id previous_ciphertext previous_key_id previous_until position last_event_id sequence failing_since busy_until off_at is_dead created_at',
  },
};
