import { allocateOldestFirst, type Allocation } from '@aparta/domain/allocation';
import { fillsOfSum } from '@aparta/domain/buyer-sums';
import { formatDate, mexicoCityDate } from '@aparta/domain/calendar';
import { add, decimal, subtract, sum, zero, type Centavos } from '@aparta/domain/money';
import { paths } from '../app/paths.ts';
import { fillsText } from '../copy/fills-text.ts';
import type { InstalmentToPay } from '../data/instalments.ts';
import type { LatePurchase } from '../data/late-purchases.ts';
import type { LayawayReference } from '../data/layaway.ts';
import type { CardAttempt } from '../data/card-attempt.ts';
import { formCopy as copy } from './form-copy.ts';

/** Something to pay by card: a layaway's deposit or an instalment. */
export interface Payable {
  /** The payment reference: prefix and ten-digit id. */
  readonly reference: string;
  readonly kind: 'layaway' | 'instalment';
  readonly merchantId: number;
  readonly productId: number;
  readonly tradeName: string;
  readonly productName: string;
  readonly logoFile: string;
  /** For example 'Apartado' or 'Pago 2 de 3'. */
  readonly part: string;
  /** Label of the principal among the line items. */
  readonly item: string;
  /** The deadline as half a sentence: 'vence el 22 nov 2026'. */
  readonly deadline: string;
  /** What is left to pay, or what the buyer chose of it. */
  readonly principal: Centavos;
  /** What that fills of a plan. */
  readonly fills?: Allocation['parts'] | undefined;
  /** The same in words, where the buyer chose the sum. */
  readonly fillsText?: string | undefined;
  /** Several purchases, each with what is late of it. */
  readonly shares?: readonly LatePurchase[] | undefined;
  /** The buyer wants to pay more than this instalment, and some of that is owed. */
  readonly isMoreOwed?: boolean;
  /** The card's service fee, the same before and after paying. */
  readonly fee: Centavos;
  /** Principal plus fee. */
  readonly total: Centavos;
  /** `notYet`: another instalment of the purchase comes first. */
  readonly state: 'open' | 'paid' | 'expired' | 'cancelled' | 'notYet';
  readonly acceptsCards: boolean;
  /** With which the card form opens; '' where no card is taken. */
  readonly cardKey: string;
  /** The newest attempt. */
  readonly attempt: CardAttempt | undefined;
  readonly purchaseId: number | undefined;
  /** The four figures of the 3DS screen (spec §2). */
  readonly summary: { due: string; value: Centavos; paid: Centavos; balance: Centavos };
  /** URLs of its two screens, each a separate document, of paying at a store, and of where the buyer came from. */
  readonly screens: { pay: string; threeDs: string; inStore?: string; back: string };
}

/**
 * A layaway's deposit. Its 3DS summary shows the reference's expiry, the deposit, 0.00 and the deposit again
 * (rules/card-attempts#3ds).
 */
export function layawayPayable(reference: LayawayReference): Payable {
  const { deposit, state } = reference;
  const expiresOn = formatDate(mexicoCityDate(reference.expiresAt));
  return {
    reference: reference.paymentReference,
    kind: 'layaway',
    merchantId: reference.merchantId,
    productId: reference.productId,
    tradeName: reference.merchantName,
    productName: reference.productName,
    logoFile: reference.logoFile,
    part: copy.deposit,
    item: copy.deposit,
    deadline: copy.payBy(expiresOn),
    principal: deposit,
    fee: reference.cardFee,
    total: reference.cardTotal,
    state: state === 'waiting' ? 'open' : state,
    acceptsCards: reference.acceptsCards,
    cardKey: reference.cardKey,
    attempt: reference.attempt,
    purchaseId: reference.purchaseId,
    summary: { due: expiresOn, value: deposit, paid: zero, balance: deposit },
    screens: {
      pay: paths.payLayaway(reference.id),
      threeDs: paths.threeDsLayaway(reference.id, reference.merchantId, decimal(deposit)),
      back: paths.layawayReference(reference.id),
    },
  };
}

/**
 * An instalment, or the sum that the buyer chose of its plan; all that is left, where that is less by now. Its 3DS summary is its
 * own Vencimiento, Valor, Pagos and Saldo (rules/card-attempts#3ds).
 */
export function instalmentPayable(instalment: InstalmentToPay, chosen?: Centavos): Payable {
  const { id, purchaseId, merchantId, balance, card } = instalment;
  const due = formatDate(instalment.dueOn);
  const plan = (instalment.plan ?? [instalment]).map((each) => ({ ...each, balanceCentavos: each.balance }));
  const owed = sum(plan.map((each) => each.balance));
  const wanted = chosen !== undefined && chosen > owed ? owed : chosen;
  const isChosen = wanted !== undefined && wanted !== balance && fillsOfSum(plan, wanted) !== undefined;
  const principal = isChosen ? wanted : balance;
  const { parts } = allocateOldestFirst(plan, principal);
  return {
    reference: instalment.paymentReference,
    kind: 'instalment',
    merchantId,
    productId: instalment.productId,
    tradeName: instalment.merchant,
    productName: instalment.product,
    logoFile: instalment.logoFile,
    part: chosen === undefined ? copy.instalment(instalment.number, instalment.of) : copy.chosen,
    item: copy.instalmentItem,
    deadline: instalment.state === 'late' ? copy.wasDue(due) : copy.due(due),
    principal,
    fills: instalment.isNext ? parts : undefined,
    fillsText: isChosen ? fillsText(instalment.plan ?? [], parts, subtract(owed, principal)) : undefined,
    isMoreOwed: chosen !== undefined && owed > zero,
    fee: card.fee,
    total: add(principal, card.fee),
    state: payableState(instalment),
    acceptsCards: instalment.acceptsCards,
    cardKey: instalment.cardKey,
    attempt: instalment.attempt,
    purchaseId,
    summary: { due, value: instalment.amount, paid: instalment.paid, balance },
    screens: {
      pay: paths.payInstalment(purchaseId, id, chosen),
      threeDs: paths.threeDsInstalment(purchaseId, id, merchantId, decimal(balance), chosen),
      inStore: paths.payInStore(purchaseId, id, chosen),
      back: paths.purchase(purchaseId),
    },
  };
}

/** What is late of an instalment's purchase and of others, with one fee; the instalment alone where nothing of them is late any more. */
export function severalPayable(instalment: InstalmentToPay, others: readonly number[]): Payable {
  const { id, purchaseId, merchantId, balance, late = [] } = instalment;
  const alone = instalmentPayable(instalment);
  const chosen = late.filter((each) => each.id === purchaseId || others.includes(each.id));
  const ids = chosen.map((each) => each.id).filter((each) => each !== purchaseId);
  const screens = {
    ...alone.screens,
    pay: paths.payInstalment(purchaseId, id, undefined, others),
    threeDs: paths.threeDsInstalment(purchaseId, id, merchantId, decimal(balance), undefined, others),
  };
  const isMoreOwed = chosen.length > 0;
  if (!chosen.some((each) => each.id === purchaseId) || ids.length === 0)
    return { ...alone, isMoreOwed, screens };
  const principal = sum(chosen.map(({ amount }) => amount));
  const fee = chosen.reduce<Centavos>((most, { cardFee }) => (cardFee > most ? cardFee : most), zero);
  return {
    ...alone,
    shares: chosen,
    productName: copy.purchases(chosen.length),
    part: copy.allLate,
    principal,
    fills: undefined,
    isMoreOwed,
    fee,
    total: add(principal, fee),
    screens,
  };
}

function payableState({ isPurchaseCancelled, balance, isNext }: InstalmentToPay): Payable['state'] {
  if (isPurchaseCancelled) return 'cancelled';
  if (balance === zero) return 'paid';
  return isNext ? 'open' : 'notYet';
}

/**
 * What a screen names as paid. One attempt at several purchases stands on the screen of each, and none of them alone is what
 * it pays.
 */
export function whatIsPaid(
  { productName, part }: Payable,
  attempt: CardAttempt | undefined,
): { name: string; part: string } {
  const { shares } = attempt ?? {};
  return shares ? { name: copy.purchases(shares.length), part: copy.allLate } : { name: productName, part };
}

/** What a card pays, in rows: the share of each purchase or the one sum, then the service fee. */
export function chargeRows({ shares, item, principal, fee }: Charge) {
  return [
    ...(shares?.map(({ product, amount }) => ({ label: product, amount })) ?? [
      { label: item, amount: principal },
    ]),
    ...(fee > 0 ? [{ label: copy.fee, amount: fee }] : []),
  ];
}

/** What an attempt charges. A paid instalment owes nothing, so only the attempt knows. */
export function chargeOf({ item, fee }: Payable, { shares, charged }: CardAttempt): Charge {
  if (!shares) return { item, principal: subtract(charged, fee), fee };
  const principal = sum(shares.map(({ amount }) => amount));
  return { shares, item, principal, fee: subtract(charged, principal) };
}

interface Charge extends Pick<Payable, 'item' | 'principal' | 'fee'> {
  readonly shares?: CardAttempt['shares'];
}
