/** `estatusVentaId` (spec §4), by the state of a purchase; what was handed over stays paid off. */
export const STATUS_CODES = { active: 1, delivered: 1, cancelled: 2 } as const;
export type PurchaseStatusCode = (typeof STATUS_CODES)[keyof typeof STATUS_CODES];

export type PurchaseStatus = 'active' | 'paid_off' | 'cancelled';

/** Where a purchase stands; both counts include the deposit. */
export interface PurchaseCounts {
  readonly statusCode: PurchaseStatusCode;
  readonly instalments: number;
  readonly paidInstalments: number;
}

/** What a purchase is shown as: paid_off is active with everything paid (spec §4). */
export function purchaseStatus({ statusCode, instalments, paidInstalments }: PurchaseCounts): PurchaseStatus {
  if (statusCode === STATUS_CODES.cancelled) return 'cancelled';
  return paidInstalments >= instalments ? 'paid_off' : 'active';
}

/** The purchases list's filter codes (spec §4); the list opens on active and unpaid. */
export const LIST_FILTERS = { all: 1, active: 2, paid_off: 3, cancelled: 4 } as const;
export type ListFilter = (typeof LIST_FILTERS)[keyof typeof LIST_FILTERS];
export const DEFAULT_LIST_FILTER: ListFilter = LIST_FILTERS.active;

/** Whether a purchase of a status is listed under a filter. */
export function isListed(status: PurchaseStatus, filter: ListFilter): boolean {
  return filter === LIST_FILTERS.all || filter === LIST_FILTERS[status];
}
