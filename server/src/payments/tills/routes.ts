import { centavosFromPesos, optionalCentavos, pesosFromCentavos } from '@aparta/contract/amount';
import {
  listTillOperations,
  onLayaway,
  payTill,
  queryTill,
  reverseTill,
  saleWithoutReference,
  TILL_ERRORS,
  type TillOperationState,
  type TillReply,
} from '@aparta/contract/tills';

import { route, type Route, success } from '../../platform/http/route.ts';
import type { Log } from '../../platform/logging.ts';
import { refreshByReference, type SeenAttempt } from '../cards/refresh-attempt.ts';
import type { ResolveDeps } from '../cards/resolve-attempt.ts';
import { TILL_MESSAGES } from './copy.ts';
import { readFeed } from './feed.ts';
import type { TillDeps, TillRequest } from './operation.ts';
import { queryOperation, queryReference, rightSums } from './query.ts';
import { reverseOperation } from './reverse.ts';
import type { TillAnswer } from './store.ts';
import type { TillState } from './till-operation.ts';
import { takeDeposit } from './take-deposit.ts';
import { takePayment } from './take-payment.ts';
import { placeOf, presentFeedEntry, presentOwed, presentPlace, presentSums } from './present.ts';

const STATES = {
  authorised: 'autorizada',
  refused: 'rechazada',
  reversed: 'revertida',
  reversed_first: 'revertida',
} as const satisfies Record<TillState, TillOperationState>;

interface WireKey {
  readonly compañia: string;
  readonly sucursal: string;
  readonly idtransaccion: string;
}

const keyOf = (body: WireKey) => ({
  chain: body.compañia,
  branch: body.sucursal,
  transactionId: body.idtransaccion,
});

const requestOf = (body: WireKey & { referencia: string; importe: number }): TillRequest => ({
  ...keyOf(body),
  reference: body.referencia,
  amountCentavos: centavosFromPesos(body.importe),
});

const replyOf = ({ error, message, authorisation }: TillAnswer): TillReply => ({
  error,
  mensaje: message,
  autorizacion: authorisation,
});

/** What a buyer is told about the card payment that they asked us to check again. */
function replyToBuyer(seen: SeenAttempt | undefined): TillReply {
  if (seen?.attempt.state !== 'applied') {
    return { error: TILL_ERRORS.noApprovedPayment, mensaje: TILL_MESSAGES[9], autorizacion: '' };
  }
  const ventaId = seen.outcome?.purchaseId ?? undefined;
  return {
    error: TILL_ERRORS.ok,
    mensaje: TILL_MESSAGES[0],
    autorizacion: seen.outcome?.folio ?? '',
    ...(ventaId === undefined ? {} : { ventaId }),
  };
}

/**
 * One path with two meanings (rules/threats#buyer-at-the-till): a till's call books money; a buyer's only checks their card
 * payment again, by `referencia` and `idtransaccion`. The kind of caller decides, never the body.
 */
export function tillRoutes(deps: TillDeps & ResolveDeps): Route[] {
  const refreshPayment = async (buyerId: number, body: WireKey & { referencia: string }, log: Log) =>
    replyToBuyer(
      await refreshByReference(
        deps,
        { buyerId, reference: body.referencia, paymentId: body.idtransaccion },
        log,
      ),
    );

  /** A sum that is not right is answered with those that would be, as they are now. */
  const replyOfTaking = async (given: TillAnswer, reference: string) => {
    if (given.error !== TILL_ERRORS.invalidAmount) return replyOf(given);
    const sums = presentSums(await rightSums(deps, reference));
    return { ...replyOf(given), ...(sums.siguiente !== undefined && { importe: sums.siguiente }), ...sums };
  };

  return [
    route(onLayaway, async ({ caller, body, log }) =>
      caller.kind === 'buyer'
        ? refreshPayment(caller.id, body, log)
        : replyOfTaking(await takeDeposit(deps, caller, requestOf(body), log), body.referencia),
    ),

    route(payTill, async ({ caller, body, log }) =>
      caller.kind === 'buyer'
        ? refreshPayment(caller.id, body, log)
        : replyOfTaking(await takePayment(deps, caller, requestOf(body), log), body.referencia),
    ),

    route(reverseTill, async ({ caller, body, log }) => {
      const amountCentavos = optionalCentavos(body.importe);
      const request = { ...keyOf(body), reference: body.referencia, amountCentavos };
      return replyOf(await reverseOperation(deps, caller, request, log));
    }),

    route(queryTill, async ({ caller, body, log }) => {
      const { compañia: chain, sucursal: branch, idtransaccion: transactionId, referencia } = body;
      if (transactionId === undefined) {
        const asked = { reference: referencia ?? '', chain, branch };
        const { given, owed } = await queryReference(deps, caller, asked, log);
        return { ...replyOf(given), ...presentOwed(owed) };
      }
      const key = { chain: chain ?? '', branch: branch ?? '', transactionId };
      const { given, operation } = await queryOperation(deps, caller, key, log);
      if (operation === undefined) return { ...replyOf(given), estado: 'desconocida' as const };
      return {
        ...replyOf(given),
        estado: STATES[operation.state],
        referencia: operation.reference,
        ...(operation.amountCentavos === null
          ? {}
          : { importe: pesosFromCentavos(operation.amountCentavos) }),
      };
    }),

    route(listTillOperations, async ({ caller, query }) => {
      const { cursor, limit } = query;
      const page = await readFeed(deps.db, caller, { after: placeOf(cursor), limit });
      const data = page.entries.map((entry) => presentFeedEntry(entry, caller.chain));
      return { ...success(data), next: presentPlace(page.next), more: page.more };
    }),

    route(saleWithoutReference, async () => ({
      error: TILL_ERRORS.notOffered,
      mensaje: TILL_MESSAGES[8],
      autorizacion: '',
    })),
  ];
}
