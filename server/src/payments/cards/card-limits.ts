/** How many rejections in an hour stop further tries, and how many attempts from one address (rules/threats#stolen-cards). */
export interface CardLimits {
  readonly rejectionsPerBuyer: number;
  readonly rejectionsPerReference: number;
  readonly rejectionsPerMerchant: number;
  /** Of one card, whoever the buyer: then all its buyers pause. */
  readonly rejectionsPerCard: number;
  /** Different cards of one buyer, rejected or not. */
  readonly cardsPerBuyer: number;
  readonly attemptsPerAddress: number;
  /** Different rejected cards from one address: from this many on, 3DS is asked for. */
  readonly rejectedCardsUntil3ds: number;
  readonly rejectedCardsPerAddress: number;
  /** In a day, of a buyer whose email address is not confirmed. */
  readonly attemptsUnconfirmed: number;
  /** How long no charge is sent after the provider went silent. */
  readonly breakerPauseMs: number;
}

export const DEFAULT_CARD_LIMITS: CardLimits = {
  rejectionsPerBuyer: 5,
  rejectionsPerReference: 5,
  rejectionsPerMerchant: 50,
  rejectionsPerCard: 5,
  cardsPerBuyer: 5,
  attemptsPerAddress: 60,
  rejectedCardsUntil3ds: 3,
  rejectedCardsPerAddress: 15,
  attemptsUnconfirmed: 3,
  breakerPauseMs: 60_000,
};
