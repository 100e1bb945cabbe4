import { optionalCentavos } from '@aparta/contract/amount';
import { CASH_NOTICE_KEY_HEADER, cashNotice, generateReference } from '@aparta/contract/cash';

import { raiseAlert } from '../../platform/alerts.ts';
import type { Log } from '../../platform/logging.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import { Refusal } from '../../platform/refusal.ts';
import { issueCashReference, type IssueDeps } from './issue-reference.ts';
import { pollAfterOutage } from './poll-references.ts';
import { presentCashReference } from './present.ts';
import { type NoticeDeps, takeNotice } from './take-notice.ts';

/** Time for two sign-ins at Tapi and two calls. */
const ISSUE_LIMIT_MS = 30_000;

/** What a notice raises that is not taken, and about whom; without a subject, about the sender's address. */
const REFUSED = {
  forged: ['cash_notice_refused', 'key'],
  unreadable: ['cash_notice_refused', 'unreadable'],
  elsewhere: ['cash_notice_elsewhere', undefined],
} as const;
const MOST_KEPT = 1_000;

export function cashRoutes(deps: IssueDeps & NoticeDeps & { readonly log: Log }): Route[] {
  const pollLater = pollAfterOutage(deps.db, deps.log);
  return [
    route(
      generateReference,
      async ({ caller, body, log }) => {
        const [asked] = body.generationData;
        const wanted = {
          reference: asked?.identifierValue ?? '',
          chosenCentavos: optionalCentavos(asked?.monto),
        };
        return success(presentCashReference(await issueCashReference(deps, caller.id, wanted, log)));
      },
      { timeLimitMs: ISSUE_LIMIT_MS },
    ),

    // With the right key it is never refused: cash that cannot be applied has an outcome too
    // (rules/tills-and-cash#cash-notices).
    route(
      cashNotice,
      async ({ body, header, address, log }) => {
        const reading = deps.cash.readNotice({ key: header(CASH_NOTICE_KEY_HEADER), address }, body);
        if (reading.kind === 'notice') {
          await takeNotice(deps, reading.operation, log).catch((error: unknown) => {
            pollLater();
            throw error;
          });
          return { status: 'Confirm' as const };
        }
        const [alert, subject] = REFUSED[reading.kind];
        // Of a stranger nothing is kept; what has our key may be all that tells of a payment.
        const said = reading.kind === 'unreadable' ? JSON.stringify(body).slice(0, MOST_KEPT) : undefined;
        log.error({ reading: reading.kind }, 'a notice of the cash network is refused, or cannot be read');
        await raiseAlert(deps.db, alert, subject ?? address, { address, said });
        if (reading.kind !== 'unreadable') throw new Refusal('WRONG_CREDENTIALS');
        return { status: 'Confirm' as const };
      },
      {
        whenBusy({ body, header, address }) {
          const reading = deps.cash.readNotice({ key: header(CASH_NOTICE_KEY_HEADER), address }, body);
          if (reading.kind === 'notice') pollLater();
        },
      },
    ),
  ];
}
