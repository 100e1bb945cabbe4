import * as account from './account.ts';
import * as activity from './activity.ts';
import * as calendar from './calendar.ts';
import * as cancellations from './cancellations.ts';
import * as cash from './cash.ts';
import * as claims from './claims.ts';
import * as changes from './changes.ts';
import * as counterBranches from './counter-branches.ts';
import * as counterClaims from './counter-claims.ts';
import * as counterCuts from './counter-cuts.ts';
import * as counterInvoices from './counter-invoices.ts';
import * as counterMails from './counter-mails.ts';
import * as counterDevices from './counter-devices.ts';
import * as counterFiles from './counter-files.ts';
import * as counterHandOvers from './counter-hand-overs.ts';
import * as counterPasskeys from './counter-passkeys.ts';
import * as counterPasswords from './counter-passwords.ts';
import * as counterPayments from './counter-payments.ts';
import * as counterProducts from './counter-products.ts';
import * as counterPurchases from './counter-purchases.ts';
import * as counterReports from './counter-reports.ts';
import * as counterRules from './counter-rules.ts';
import * as counterShelf from './counter-shelf.ts';
import * as counterSessions from './counter-sessions.ts';
import * as counterSettlements from './counter-settlements.ts';
import * as counterStaff from './counter-staff.ts';
import * as counterWebhooks from './counter-webhooks.ts';
import type { Endpoint } from './endpoint.ts';
import * as help from './help.ts';
import * as keptSessions from './kept-sessions.ts';
import * as invoices from './invoices.ts';
import * as latePurchases from './late-purchases.ts';
import * as layaway from './layaway.ts';
import * as legal from './legal.ts';
import * as merchants from './merchants.ts';
import * as moving from './moving.ts';
import * as payments from './payments.ts';
import * as pickup from './pickup.ts';
import * as pushes from './pushes.ts';
import * as purchases from './purchases.ts';
import * as receipts from './receipts.ts';
import * as statements from './statements.ts';
import * as tills from './tills.ts';

function endpointsOf(feature: Record<string, unknown>): Endpoint[] {
  return Object.values(feature).filter(
    (value): value is Endpoint =>
      typeof value === 'object' && value !== null && 'path' in value && 'method' in value,
  );
}

/** Every endpoint there is, by feature: the OpenAPI document and the tests over the whole contract walk it. */
export const ENDPOINTS: Record<string, readonly Endpoint[]> = {
  account: [account, keptSessions].flatMap(endpointsOf),
  pushes: endpointsOf(pushes),
  calendar: endpointsOf(calendar),
  activity: endpointsOf(activity),
  legal: endpointsOf(legal),
  merchants: endpointsOf(merchants),
  latePurchases: endpointsOf(latePurchases),
  layaway: endpointsOf(layaway),
  payments: endpointsOf(payments),
  tills: endpointsOf(tills),
  purchases: endpointsOf(purchases),
  cancellations: endpointsOf(cancellations),
  pickup: endpointsOf(pickup),
  claims: endpointsOf(claims),
  moving: endpointsOf(moving),
  help: endpointsOf(help),
  receipts: endpointsOf(receipts),
  statements: endpointsOf(statements),
  changes: endpointsOf(changes),
  cash: endpointsOf(cash),
  invoices: endpointsOf(invoices),
  counter: [
    counterSessions,
    counterBranches,
    counterStaff,
    counterPasswords,
    counterPasskeys,
    counterMails,
    counterDevices,
    counterPayments,
    counterHandOvers,
    counterProducts,
    counterCuts,
    counterPurchases,
    counterClaims,
    counterReports,
    counterInvoices,
    counterSettlements,
    counterRules,
    counterShelf,
    counterFiles,
    counterWebhooks,
  ].flatMap(endpointsOf),
};
