/** What is written of a buyer's account beside its purchases. */
export const ACCOUNT_ACTS = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'session_closed',
  'password_changed',
  'profile_changed',
  'reminders_on',
  'reminders_off',
  'pushes_on',
  'pushes_off',
  'calendar_made',
  'calendar_ended',
  'data_exported',
] as const;
export type AccountAct = (typeof ACCOUNT_ACTS)[number];

/** All that may have happened in a buyer's account. */
export const ACTIVITY_KINDS = [
  ...ACCOUNT_ACTS,
  'signed_up',
  'email_confirmed',
  'session_replayed',
  'consented',
  'fiscal_added',
  'fiscal_removed',
  'reserved',
  'paid',
  'payment_rejected',
  'payment_reversed',
  'date_moved',
  'instalment_split',
  'more_time',
  'purchase_ended',
  'refunded',
  'handed_over',
  'help_link_made',
  'help_link_ended',
  'claim_opened',
  'claim_answered',
  'claim_ended',
  'invoice_asked',
  'invoice_issued',
  'operator_act',
] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** Who did it, by their part in it. Nobody knows who tried a wrong password. */
export const ACTIVITY_ACTORS = ['buyer', 'helper', 'merchant', 'operator', 'rule', 'unknown'] as const;
export type ActivityActor = (typeof ACTIVITY_ACTORS)[number];

/** What an operator's act was about: a buyer as such, or a thing of theirs. */
export const OPERATED = ['account', 'export', 'claim', 'refund', 'payment', 'invoice'] as const;
export type Operated = (typeof OPERATED)[number];
