import { firstName } from '@aparta/domain/short-name';
import { pesosFromCentavos } from '@aparta/contract/amount';
import type { Helped, HelpPayment } from '@aparta/contract/help';
import { helperSums, leftOfGoal } from '@aparta/domain/help';
import { zero } from '@aparta/domain/money';
import { feeFor } from '@aparta/domain/service-fee';

import { presentPictures } from '../../catalogue/present.ts';
import type { readHelped } from '../cards/help-with-card.ts';
import { presentAttempt } from '../cards/present.ts';
import type { SeenAttempt } from '../cards/refresh-attempt.ts';

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
