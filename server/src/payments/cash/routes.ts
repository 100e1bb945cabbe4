import { CASH_NOTICE_KEY_HEADER, cashNotice, generateReference } from '@aparta/contract/cash';

import { raiseAlert } from '../../platform/alerts.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import { Refusal } from '../../platform/refusal.ts';
import { issueCashReference, type IssueDeps } from './issue-reference.ts';
import { presentCashReference } from './present.ts';
import { type NoticeDeps, takeNotice } from './take-notice.ts';

/** Time for two sign-ins at Tapi and two calls. */
const ISSUE_LIMIT_MS = 30_000;

export function cashRoutes(deps: IssueDeps & NoticeDeps): Route[] {
  return [
    route(
      generateReference,
      async ({ caller, body, log }) => {
        const reference = body.generationData[0]?.identifierValue ?? '';
        return success(presentCashReference(await issueCashReference(deps, caller.id, reference, log)));
      },
      { timeLimitMs: ISSUE_LIMIT_MS },
    ),

    // With the right key it is never refused: cash that cannot be applied has an outcome too
    // (rules/tills-and-cash#cash-notices).
    route(cashNotice, async ({ body, header, address, log }) => {
      const reading = deps.cash.readNotice({ key: header(CASH_NOTICE_KEY_HEADER), address }, body);
      if (reading.kind === 'elsewhere') {
        await raiseAlert(deps.db, 'cash_notice_elsewhere', address, {});
        log.error('a notice with the key of the cash network came from an address that is not its own');
      }
      if (reading.kind === 'forged' || reading.kind === 'elsewhere') throw new Refusal('WRONG_CREDENTIALS');
      if (reading.kind === 'notice') await takeNotice(deps, reading.operation, log);
      else log.error('a notice of the cash network cannot be read');
      return { status: 'Confirm' as const };
    }),
  ];
}
