import { randomUUID } from 'node:crypto';

import { centavosFromPesos } from '@aparta/contract/amount';
import {
  cardNotice,
  type CardPayment,
  createCardPayment,
  getAttempt,
  getCardPayment,
} from '@aparta/contract/payments';
import type { Received } from '@aparta/contract/endpoint';

import type { Db } from '../../platform/db/db.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import { Refusal } from '../../platform/refusal.ts';
import { inferReference } from './infer-reference.ts';
import {
  cardKeyOf,
  refreshByIntent,
  refreshByNotice,
  refreshByPayment,
  readForMerchant,
  type SeenAttempt,
  seeAttempt,
  seeNewestAttempt,
} from './refresh-attempt.ts';
import { presentAttempt } from './present.ts';
import type { StartDeps } from './send-charge.ts';
import { type CardPaymentRequest, startCardPayment } from './start-card-payment.ts';

/** As long as the provider may take for a charge, and a little more. */
const CHARGE_LIMIT_MS = 50_000;
/** Notices checked at once; the rest are left to the job that polls each open attempt anyway. */
const MOST_NOTICES = 200;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type CardPaymentBody = Received<typeof createCardPayment, 'body'>;

const fillsOf = (shown: NonNullable<CardPaymentBody['abonos']>) =>
  shown.map(({ identificador, monto }) => ({
    number: identificador,
    amountCentavos: centavosFromPesos(monto),
  }));

const requestOf = (body: CardPaymentBody, reference: string): CardPaymentRequest => ({
  reference,
  merchantId: body.apartaBusinnessId,
  intentId: body.intentoId ?? randomUUID(),
  shown: {
    totalCentavos: centavosFromPesos(body.amount),
    fills: body.abonos && fillsOf(body.abonos),
  },
  shares: body.compras?.map(({ referencia, abonos }) => ({ reference: referencia, fills: fillsOf(abonos) })),
  token: body.payment_method.token,
  description: body.description,
  customer: {
    email: body.customer.email ?? '',
    phone: body.customer.phone ?? '',
    street: body.customer.address?.street ?? '',
    number: body.customer.address?.number ?? '',
    postalCode: body.customer.address?.postal_code ?? '',
  },
  sessionId: body.prevention_data.session_id,
  userAgent: body.prevention_data.user_agent,
});

const shown = (seen: SeenAttempt | undefined) => {
  if (seen === undefined) throw new Refusal('NOT_FOUND');
  return success(presentAttempt(seen.attempt, seen.outcome));
};

/** What purchases and layaways show of card payments. */
export function paymentsOfReference(db: Db) {
  return {
    async newestAttempt(referenceId: number): Promise<CardPayment | null> {
      const seen = await seeNewestAttempt(db, referenceId);
      return seen === undefined ? null : presentAttempt(seen.attempt, seen.outcome);
    },
    cardKeyOf: (merchantId: number): Promise<string> => cardKeyOf(db, merchantId),
  };
}

export function paymentRoutes(deps: StartDeps): Route[] {
  let notices = 0;

  return [
    route(
      createCardPayment,
      async ({ caller, body, address, requestId, log }) => {
        const reference =
          body.referencia ??
          body.compras?.[0]?.referencia ??
          (await inferReference(deps.db, {
            buyerId: caller.id,
            merchantId: body.apartaBusinnessId,
            totalCentavos: centavosFromPesos(body.amount),
            intentId: body.intentoId,
          }));
        const attempt = await startCardPayment(deps, caller.id, requestOf(body, reference), {
          sourceAddress: address,
          requestId,
          log,
        });
        return shown(await seeAttempt(deps.db, attempt));
      },
      { timeLimitMs: CHARGE_LIMIT_MS },
    ),

    route(getCardPayment, async ({ caller, params: { paymentId, businessId: merchantId }, log }) => {
      if (caller.kind === 'buyer')
        return shown(await refreshByPayment(deps, { buyerId: caller.id, merchantId, paymentId }, log));
      if (caller.merchantId !== merchantId) throw new Refusal('NOT_FOUND');
      return shown(await readForMerchant(deps.db, merchantId, paymentId));
    }),

    route(getAttempt, async ({ caller, params, log }) =>
      shown(await refreshByIntent(deps, caller.id, params.intentoId, log)),
    ),

    // Answered at once and always the same: guessing nonces teaches nothing, and the provider never waits
    // (rules/providers#clip-notices).
    route(cardNotice, async ({ params, body, log }) => {
      if (notices < MOST_NOTICES) {
        notices += 1;
        refreshByNotice(
          deps,
          { nonce: params.nonce, paymentId: UUID.test(body.id ?? '') ? body.id : undefined },
          log,
        )
          .catch((err: unknown) => log.error({ err }, 'a notice could not be checked'))
          .finally(() => (notices -= 1));
      }
      return success(null);
    }),
  ];
}
