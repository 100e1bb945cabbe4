import { centavosFromPesos } from '@aparta/contract/amount';
import {
  getHelpPayment,
  getHelpReference,
  helpAtStore as helpAtStoreEndpoint,
  payHelp,
  readHelp,
} from '@aparta/contract/help';

import { route, type Route, success } from '../../platform/http/route.ts';
import { ipPrefixOf, type Limiter } from '../../platform/limiter.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type HelpDeps, helpWithCard, readHelped } from '../cards/help-with-card.ts';
import { refreshHelp, seeAttempt } from '../cards/refresh-attempt.ts';
import { helpAtStore, readStoreHelp } from '../cash/help-at-store.ts';
import type { CashProvider } from '../cash/port.ts';
import { presentHelp, presentHelped, presentStoreHelp } from './present.ts';

/** As long as the provider may take for a charge, and a little more. */
const CHARGE_LIMIT_MS = 50_000;
/** As long as a buyer's own number may take. */
const ISSUE_LIMIT_MS = 30_000;
/** What one address may ask in a minute: a screen asks every few seconds, and a family has one address. */
const CALLS = { times: 120, seconds: 60 };

/** What anybody with a help link may call, without an account. */
export function helpRoutes(
  deps: HelpDeps & { readonly limiter: Limiter; readonly cash: CashProvider },
): Route[] {
  const count = (address: string) => deps.limiter.take('help', ipPrefixOf(address), CALLS);
  return [
    route(readHelp, async ({ body, address }) => {
      await count(address);
      return success(presentHelped(await readHelped(deps, body.helpCode)));
    }),

    route(
      payHelp,
      async ({ body, address, requestId, log }) => {
        await count(address);
        const attempt = await helpWithCard(
          deps,
          {
            code: body.helpCode,
            totalCentavos: centavosFromPesos(body.amount),
            name: body.helperName,
            email: body.helperEmail,
            intentId: body.intentoId,
            workProof: body.workProof,
            token: body.payment_method.token,
            sessionId: body.prevention_data.session_id,
            userAgent: body.prevention_data.user_agent,
          },
          { sourceAddress: address, requestId, log },
        );
        return success(presentHelp(await seeAttempt(deps.db, attempt)));
      },
      { timeLimitMs: CHARGE_LIMIT_MS },
    ),

    route(getHelpPayment, async ({ body, address, log }) => {
      await count(address);
      const seen = await refreshHelp(deps, body.intentoId, log);
      if (seen === undefined) throw new Refusal('NOT_FOUND');
      return success(presentHelp(seen));
    }),

    route(
      helpAtStoreEndpoint,
      async ({ body, address, log }) => {
        await count(address);
        const help = await helpAtStore(
          deps,
          {
            code: body.helpCode,
            totalCentavos: centavosFromPesos(body.amount),
            name: body.helperName,
            email: body.helperEmail,
            intentId: body.intentoId,
            workProof: body.workProof,
          },
          { sourceAddress: address, log },
        );
        return success(presentStoreHelp(help));
      },
      { timeLimitMs: ISSUE_LIMIT_MS },
    ),

    route(getHelpReference, async ({ body, address }) => {
      await count(address);
      return success(presentStoreHelp(await readStoreHelp(deps.db, body.intentoId)));
    }),
  ];
}
