import type { PlanProblem } from '@aparta/domain/plan';

/** Why an operator's change is not made. The command line says what each means. */
export type ChangeRefusal =
  | 'company_unknown'
  | 'merchant_unknown'
  | 'product_unknown'
  | 'service_account_unknown'
  | 'service_account_name_taken'
  | 'service_account_rotating'
  | 'until_is_past'
  | 'nothing_to_change'
  | 'field_length'
  | 'rfc_wrong'
  | 'email_wrong'
  | 'iva_wrong'
  | 'sku_taken'
  | `plan_${PlanProblem}`
  | `plan_${PlanProblem}_of_product`
  | 'rows_wrong'
  | 'file_too_large'
  | 'file_unreadable'
  | 'file_unwritable'
  | 'logo_not_an_image'
  | 'logo_too_large'
  | 'key_missing'
  | 'key_is_a_test'
  | 'key_opens_not'
  | 'legal_bad_version'
  | 'legal_empty'
  | 'legal_too_long'
  | 'legal_not_plain_text'
  | 'legal_blanks_left'
  | 'legal_version_taken'
  | 'legal_version_replaced'
  | 'invoice_unknown'
  | 'invoice_state'
  | 'invoice_folio_taken'
  | 'attempt_unknown'
  | 'alert_unknown'
  | 'email_not_failed'
  | 'purchase_unknown'
  | 'notice_unknown'
  | 'notice_already_applied'
  | 'notice_no_pesos'
  | 'clue_missing'
  | 'evidence_length'
  | 'invoice_ids_missing'
  | 'attempt_not_held'
  | 'held_not_captured'
  | 'held_other_amount'
  | 'held_not_applicable'
  | 'refund_unknown'
  | 'refund_not_blocked'
  | 'refund_wait_too_long'
  | 'refund_not_by_card'
  | 'refund_not_in_cash'
  | 'refund_on_its_way'
  | 'refund_perhaps_returned'
  | 'refund_done_already'
  | 'refund_not_paid'
  | 'external_refund_no_money'
  | 'external_refund_held'
  | 'external_refund_unread'
  | 'external_refund_nothing'
  | 'external_refund_more_than_paid'
  | 'external_refund_part_of_purchase'
  | 'external_refund_without_place'
  | 'external_refund_invoiced'
  | 'external_refund_paid_off'
  | 'reversal_unknown'
  | 'reversal_invoiced'
  | 'reversal_settled'
  | 'reversal_other_amount'
  | 'job_unknown'
  | 'table_unreadable'
  | 'chain_unknown'
  | 'day_not_over'
  | 'operation_unknown'
  | 'network_silent'
  | 'report_days'
  | 'report_future'
  | 'settlement_unknown'
  | 'settlement_zero'
  | 'settlement_in_future'
  | 'settlement_chain'
  | 'settlement_days'
  | 'settlement_card_party'
  | 'settlement_nothing_pending'
  | 'settlement_two_collectors'
  | 'settlement_evidence_used'
  | 'settlement_no_difference'
  | 'settlement_explains_too_much'
  | 'settlement_commission_below'
  | 'settlement_explained'
  | 'settlement_voided'
  | 'buyer_unknown'
  | 'buyer_tied'
  | 'erasures_file_missing'
  | 'erasures_unreadable'
  | 'labels_none'
  | 'labels_skip';

type Facts = Readonly<Record<string, string | number>>;

/** Thrown by what only an operator may do; a buyer's refusals are `Refusal`s. */
export class RefusedChange extends Error {
  override name = 'RefusedChange';
  readonly code: ChangeRefusal;
  /** What the sentence needs besides the code. */
  readonly facts: Facts;

  constructor(code: ChangeRefusal, facts: Facts = {}) {
    super(code);
    this.code = code;
    this.facts = facts;
  }
}
