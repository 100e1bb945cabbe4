import { firstName } from '@aparta/domain/short-name';
import { pesosFromCentavos } from '@aparta/contract/amount';
import type { Helped, HelpPayment, HelpReference } from '@aparta/contract/help';
import { helperSums, leftOfGoal } from '@aparta/domain/help';
import { sum, zero } from '@aparta/domain/money';
import { feeFor } from '@aparta/domain/service-fee';
import { MOST_AT_A_STORE, STORE_CHAINS } from '@aparta/domain/store-chains';

import { presentPictures } from '../../catalogue/present.ts';
import type { readHelped } from '../cards/help-with-card.ts';
import { presentAttempt } from '../cards/present.ts';
import type { SeenAttempt } from '../cards/refresh-attempt.ts';
import type { StoreHelp } from '../cash/help.read-model.ts';

/** What a helper reads of the purchase that they help to pay. */
export function presentHelped(helped: Awaited<ReturnType<typeof readHelped>>): Helped {
  const { balanceCentavos, goalCentavos, helpedCentavos, cardKey } = helped;
  const sums = helperSums(balanceCentavos) ?? { least: zero, most: zero };
  const policy = { amountCentavos: helped.feeCentavos, methods: helped.feeMethods };
  return {
    firstName: firstName(helped.buyerName),
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
    storeFee: pesosFromCentavos(feeFor(policy, 'cash')),
    storeMost: pesosFromCentavos(MOST_AT_A_STORE),
    penalty: pesosFromCentavos(helped.penaltyCentavos),
    acceptsCards: cardKey !== '',
    cardKey,
  };
}

/** A helper's payment, without what its attempt tells of the purchase. */
export function presentHelp({ attempt, outcome }: SeenAttempt): HelpPayment {
  const { intentoId, state, pending_action, amount, folio, paidAt, card, createdAt, advice, refund } =
    presentAttempt(attempt, outcome);
  return { intentoId, state, pending_action, amount, folio, paidAt, card, createdAt, advice, refund };
}

/** A helper's number for stores, and what became of it. */
export function presentStoreHelp(help: StoreHelp): HelpReference {
  const { number, amountCentavos } = help;
  const payments = help.payments.filter(({ isReversed }) => !isReversed);
  const owed = payments.filter(({ owedBackCentavos }) => owedBackCentavos > 0);
  const last = help.payments.at(-1);
  const feeCentavos = feeFor({ amountCentavos: help.feeCentavos, methods: help.feeMethods }, 'cash');
  return {
    intentoId: help.intentId,
    storeState: storeStateOf(help),
    reference: number,
    barcode: number,
    amount: pesosFromCentavos(amountCentavos),
    fee: pesosFromCentavos(feeCentavos),
    tooMuch: amountCentavos - feeCentavos > help.balanceCentavos,
    expiresAt: help.expiresAt.toISOString(),
    firstName: firstName(help.buyerName),
    productName: help.productName,
    pictures: presentPictures(help.productId, help.picture),
    tradeName: help.tradeName,
    stores: STORE_CHAINS.map(({ name, limitCentavos }) => ({
      name,
      limit: pesosFromCentavos(limitCentavos),
    })),
    given: pesosFromCentavos(sum(payments.map((payment) => payment.amountCentavos))),
    folio: last?.folio ?? null,
    paidAt: last === undefined ? null : new Date(last.paidAt).toISOString(),
    owedBack: pesosFromCentavos(sum(owed.map(({ owedBackCentavos }) => owedBackCentavos))),
    handedOver: owed.length > 0 && owed.every(({ isHandedOver }) => isHandedOver),
    payments: payments.map((payment) => ({
      folio: payment.folio,
      amount: pesosFromCentavos(payment.amountCentavos),
      paidAt: new Date(payment.paidAt).toISOString(),
      owedBack: pesosFromCentavos(payment.owedBackCentavos),
      handedOver: payment.owedBackCentavos > 0 && payment.isHandedOver,
    })),
  };
}

function storeStateOf({ payments, stands }: StoreHelp): HelpReference['storeState'] {
  if (payments.length === 0) return stands ? 'waiting' : 'over';
  const standing = payments.filter(({ isReversed }) => !isReversed);
  if (standing.length === 0) return 'reversed';
  return standing.some(({ appliedCentavos }) => appliedCentavos > 0) ? 'paid' : 'owed_back';
}
