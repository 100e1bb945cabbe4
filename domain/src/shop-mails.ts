/** What owners are mailed as it happens. */
export const SHOP_MAIL_KINDS = [
  'first_deposit',
  'paid_off',
  'cancelled',
  'refund_owed',
  'unit_missing',
  'claim',
  'expiring',
] as const;
export type ShopMailKind = (typeof SHOP_MAIL_KINDS)[number];

/** All that owners are mailed of their shop: those, and how it stands each morning. */
export const SHOP_MAILS = ['digest', ...SHOP_MAIL_KINDS] as const;
export type ShopMail = (typeof SHOP_MAILS)[number];
