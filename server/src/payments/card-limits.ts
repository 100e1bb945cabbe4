/** How many rejections in an hour stop further tries, and how many attempts from one address (payments.md threat 10). */
export interface CardLimits {
  readonly rejectionsPerBuyer: number;
  readonly rejectionsPerReference: number;
  readonly rejectionsPerMerchant: number;
  readonly attemptsPerAddress: number;
  /** In a day, of a buyer whose e-mail is not confirmed. */
  readonly attemptsUnconfirmed: number;
  /** How long no charge is sent after the provider went silent. */
  readonly breakerPauseMs: number;
}

export const DEFAULT_CARD_LIMITS: CardLimits = {
  rejectionsPerBuyer: 5,
  rejectionsPerReference: 5,
  rejectionsPerMerchant: 50,
  attemptsPerAddress: 60,
  attemptsUnconfirmed: 3,
  breakerPauseMs: 60_000,
};
