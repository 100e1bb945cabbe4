import { DEMO_BUYERS, DEMO_BUYERS_PASSWORD } from '@aparta/server/back-office/readiness/demo-left.read-model';

export const PASSWORD = DEMO_BUYERS_PASSWORD;

export const BUYERS = [
  { user: DEMO_BUYERS[0], userName: 'Marisol Reyes', phone: '2225550311' },
  { user: DEMO_BUYERS[1], userName: 'Ana Torres', phone: '2225550322' },
] as const;
export interface Buyer {
  readonly user: string;
  readonly userName: string;
  readonly phone: string;
}

/** Who asks for invoices, as SAT knows them. */
export const FISCAL_CLIENT = {
  rfc: 'REOM900315QHA',
  name: 'Marisol Reyes Ortega',
  alias: 'Personal',
  email: 'demo@aparta.mx',
  phone: '2225550311',
  taxRegime: '605',
  cfdiUse: 'S01',
  street: 'Calle 11 Sur 2304',
  suburb: 'El Carmen',
  postalCode: '72530',
};

/** What is paid is always what comes next: the deposit, then the oldest instalment that is owed. */
export type Act =
  | 'reserve'
  | 'pay by credit'
  | 'pay by debit'
  | 'pay at the till'
  | 'pay part at the till'
  | 'ask for a store reference'
  | 'pay at a store'
  | 'ask for the invoice of the deposit'
  | 'cancel';

export interface Day {
  readonly daysAgo: number;
  readonly buyer: Buyer;
  readonly sku: string;
  readonly acts: readonly Act[];
}

const [demo, otra] = BUYERS;

/**
 * What the buyers did, oldest first, so that numbers rise with dates. No buyer reserves a product twice. The store network
 * issues for days to come alone, so stores are paid on the last two days.
 */
export const HISTORY: readonly Day[] = [
  // Paid off in the end, by every payment method.
  { daysAgo: 44, buyer: demo, sku: 'LB-LIC-10', acts: ['reserve', 'pay by credit'] },
  // The second instalment is ten days late.
  { daysAgo: 40, buyer: demo, sku: 'LB-REF-14', acts: ['reserve', 'pay by credit'] },
  // Cancelled after the days in which that costs nothing; the card got the rest back.
  { daysAgo: 30, buyer: demo, sku: 'EZ-LAP-14', acts: ['reserve', 'pay by credit'] },
  { daysAgo: 20, buyer: demo, sku: 'EZ-LAP-14', acts: ['cancel'] },
  { daysAgo: 15, buyer: demo, sku: 'LB-LIC-10', acts: ['pay by debit'] },
  { daysAgo: 14, buyer: demo, sku: 'LB-LIC-10', acts: ['ask for the invoice of the deposit'] },
  // One paid, the second awaited at a store.
  { daysAgo: 10, buyer: demo, sku: 'EZ-PAN-55', acts: ['reserve', 'pay by debit'] },
  { daysAgo: 8, buyer: demo, sku: 'LB-LIC-10', acts: ['pay part at the till'] },
  { daysAgo: 5, buyer: otra, sku: 'EZ-TEL-12', acts: ['reserve', 'pay by credit'] },
  // The second instalment is paid in part.
  { daysAgo: 3, buyer: demo, sku: 'MV-COL-MA', acts: ['reserve', 'pay at the till'] },
  { daysAgo: 1, buyer: demo, sku: 'LB-LIC-10', acts: ['pay at a store'] },
  { daysAgo: 1, buyer: demo, sku: 'MV-COL-MA', acts: ['pay part at the till'] },
  { daysAgo: 0, buyer: demo, sku: 'EZ-PAN-55', acts: ['ask for a store reference'] },
  // A reference that waits for its deposit.
  { daysAgo: 0, buyer: demo, sku: 'LB-LAV-18', acts: ['reserve'] },
];
