import { centavosFromPesos, pesosFromCentavos } from '@aparta/contract/amount';
import { getHelpPayment, type Helped, type HelpPayment, payHelp, readHelp } from '@aparta/contract/help';
import { helperSums, leftOfGoal } from '@aparta/domain/help';
import { zero } from '@aparta/domain/money';
import { feeFor } from '@aparta/domain/service-fee';

import { presentPictures } from '../../catalogue/present.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import type { Limiter } from '../../platform/limiter.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type HelpDeps, helpWithCard, readHelped } from './help-with-card.ts';
import { presentAttempt } from './present.ts';
import { refreshHelp, type SeenAttempt, seeAttempt } from './refresh-attempt.ts';

/** As long as the provider may take for a charge, and a little more. */
const CHARGE_LIMIT_MS = 50_000;
/** What one address may ask in a minute: a screen asks every few seconds, and a family has one address. */
const CALLS = { times: 120, seconds: 60 };

function presentHelped(helped: Awaited<ReturnType<typeof readHelped>>): Helped {
  const { balanceCentavos, goalCentavos, helpedCentavos, cardKey } = helped;
  const sums = helperSums(balanceCentavos) ?? { least: zero, most: zero };
  const policy = { amountCentavos: helped.feeCentavos, methods: helped.feeMethods };
  return {
    firstName: helped.buyerName.trim().split(/\s+/)[0] ?? '',
    productName: helped.productName,
    pictures: presentPictures(helped.productId, helped.picture),
    tradeName: helped.tradeName,
    helpMessage: helped.message,
    goal: goalCentavos === null ? null : pesosFromCentavos(goalCentavos),
    goalLeft:
      goalCentavos === null
        ? null
        : pesosFromCentavos(leftOfGoal(goalCentavos, helpedCentavos, balanceCentavos)),
    helped: pesosFromCentavos(helpedCentavos),
    least: pesosFromCentavos(sums.least),
    most: pesosFromCentavos(sums.most),
    cardFee: pesosFromCentavos(feeFor(policy, 'card')),
    penalty: pesosFromCentavos(helped.penaltyCentavos),
    acceptsCards: cardKey !== '',
    cardKey,
  };
}

function presentHelp({ attempt, outcome }: SeenAttempt): HelpPayment {
  const { intentoId, state, pending_action, amount, folio, paidAt, card, createdAt, advice, refund } =
    presentAttempt(attempt, outcome);
  return { intentoId, state, pending_action, amount, folio, paidAt, card, createdAt, advice, refund };
}

/** What anybody with a help link may call, without an account. */
export function helpRoutes(deps: HelpDeps & { readonly limiter: Limiter }): Route[] {
  return [
    route(readHelp, async ({ body, address }) => {
      await deps.limiter.take('help', address, CALLS);
      return success(presentHelped(await readHelped(deps, body.helpCode)));
    }),

    route(
      payHelp,
      async ({ body, address, requestId, log }) => {
        await deps.limiter.take('help', address, CALLS);
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
      await deps.limiter.take('help', address, CALLS);
      const seen = await refreshHelp(deps, body.intentoId, log);
      if (seen === undefined) throw new Refusal('NOT_FOUND');
      return success(presentHelp(seen));
    }),
  ];
}
