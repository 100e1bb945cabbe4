/** What a buyer can do about a rejection. */
export type Advice = 'retry' | 'retry_later' | 'other_card' | 'call_bank' | 'check_data' | 'contact_support';

/**
 * What a buyer can do about a rejection, by the provider's detail code (rules/providers#clip-status-codes). The risk rules' codes
 * are left out: a card tester must learn nothing from them.
 */
const ADVICE: Readonly<Record<string, Advice>> = {
  'RE-3DS01': 'retry',
  'RE-ISS01': 'other_card',
  'RE-ISS02': 'call_bank',
  'RE-ISS03': 'other_card',
  'RE-ISS04': 'other_card',
  'RE-ISS05': 'other_card',
  'RE-ISS06': 'other_card',
  'RE-ISS07': 'check_data',
  'RE-ISS08': 'other_card',
  'RE-ISS09': 'call_bank',
  'RE-ISS10': 'call_bank',
  'RE-ISS11': 'call_bank',
  'RE-ISS12': 'contact_support',
  'RE-ISS13': 'retry_later',
  'RE-ISS14': 'retry_later',
  'RE-ISS15': 'other_card',
  'RE-ISS16': 'check_data',
  'RE-ISS17': 'contact_support',
  'RE-ISS18': 'contact_support',
  'RE-BIN01': 'other_card',
  'RE-ERI05': 'contact_support',
};

/** The advice for a detail code; `retry` for one that is not listed. */
export function adviceFor(detailCode: string): Advice {
  return ADVICE[detailCode] ?? 'retry';
}

/** The detail code that a buyer may see: one that is not listed becomes the bank's generic one. */
export function shownDetail(detailCode: string): string {
  return !detailCode.startsWith('RE-') || detailCode in ADVICE ? detailCode : 'RE-ISS99';
}
