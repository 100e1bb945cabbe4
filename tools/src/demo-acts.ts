import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { centavos, type Centavos } from '@aparta/domain/money';
import { totalFor } from '@aparta/domain/service-fee';
import { cancelPurchase, readRefunds } from '@aparta/server/purchases/cancelling/cancel';
import { issueCashReference } from '@aparta/server/payments/cash/issue-reference';
import { checkCashOperation } from '@aparta/server/payments/cash/take-notice';
import type { Composition } from '@aparta/server/compose';
import type { Db } from '@aparta/server/platform/db/db';
import type { Settings } from '@aparta/server/env';
import type { IssueDeps } from '@aparta/server/invoicing/invoices/round';
import { addFiscalClient } from '@aparta/server/invoicing/fiscal-clients/save-fiscal-client';
import { requestInvoice } from '@aparta/server/invoicing/invoices/request-invoice';
import { createReference } from '@aparta/server/purchases/layaways/create-reference';
import type { LayawayReference } from '@aparta/server/purchases/layaways/read-model';
import { findReference } from '@aparta/server/purchases/layaways/shown.read-model';
import { createLimiter } from '@aparta/server/platform/limiter';
import { createLog } from '@aparta/server/platform/logging';
import { refundCardPayment } from '@aparta/server/payments/refunds/refund-card-payment';
import { startCardPayment } from '@aparta/server/payments/cards/start-card-payment';
import { readPurchase } from '@aparta/server/purchases/overview/detail';
import { standingOf } from '@aparta/server/purchases/overview/standing';
import { takeDeposit } from '@aparta/server/payments/tills/take-deposit';
import { takePayment } from '@aparta/server/payments/tills/take-payment';
import { type Act, type Buyer, FISCAL_CLIENT } from '../demo/history.ts';
import { type DemoMerchant, TILL } from '../demo/shops.ts';
import type { DemoSandbox } from './demo-sandbox.ts';

/** Of a network that exists in documents alone, so that nobody's limits are used up. */
export const ADDRESS = '192.0.2.1';
/** Clip's documented test cards that are approved at once. */
const CARDS = { credit: '4555128482797669', debit: '4208318689081956' };
/** Less than any instalment of the demo. */
const PART = centavos(20_000);

const log = createLog('silent');

/** A buyer and the product that they reserved or are about to. */
export interface Subject {
  readonly buyer: Buyer;
  readonly buyerId: number;
  readonly merchant: DemoMerchant;
  readonly merchantId: number;
  readonly productId: number;
  readonly productName: string;
  /** The buyer's layaway reference, once there is one. */
  readonly referenceId: number | undefined;
}

export interface ActDeps {
  /** Its clock shows the day of the act. */
  readonly db: Db;
  readonly settings: Settings;
  readonly engine: Composition['engine'];
  readonly cash: Composition['jobs']['cash'];
  readonly issuing: IssueDeps;
  readonly sandbox: DemoSandbox;
  readonly tillId: string;
}

/** Does one act through its use case; returns the layaway reference. Throws unless it ended well. */
export async function perform(deps: ActDeps, subject: Subject, act: Act): Promise<number> {
  const { db, settings } = deps;
  const { buyerId } = subject;
  if (act === 'reserve') {
    return createReference({ db, referenceDays: settings.referenceDays }, buyerId, {
      qrText: `1|${subject.merchantId}|${subject.productId}|0||||0`,
      repeat: false,
      sourceAddress: ADDRESS,
    });
  }
  const reference = await findReference(db, buyerId, subject.referenceId ?? 0);
  if (reference === undefined) throw new Error(`${subject.productName} is not reserved`);
  switch (act) {
    case 'pay by credit':
      await payByCard(deps, subject, reference, CARDS.credit);
      break;
    case 'pay by debit':
      await payByCard(deps, subject, reference, CARDS.debit);
      break;
    case 'pay at the till':
      await payAtTill(deps, reference);
      break;
    case 'pay part at the till':
      await payAtTill(deps, reference, PART);
      break;
    case 'ask for a store reference':
      await askForStore(deps, reference);
      break;
    case 'pay at a store':
      await payAtStore(deps, reference);
      break;
    case 'ask for the invoice of the deposit':
      await invoiceDeposit(deps, reference);
      break;
    case 'cancel':
      await cancel(deps, reference);
  }
  return reference.id;
}

/** What comes next: the deposit, then the oldest instalment that is owed. */
async function dueOf(
  db: Db,
  { purchaseId, buyerId, ...layaway }: LayawayReference,
): Promise<{ isDeposit: boolean; reference: string; principalCentavos: Centavos }> {
  if (purchaseId === null) {
    return { isDeposit: true, reference: layaway.reference, principalCentavos: layaway.depositCentavos };
  }
  const { next } = standingOf(await readPurchase(db, buyerId, purchaseId));
  if (next === undefined) throw new Error(`the purchase ${purchaseId} owes nothing`);
  return { isDeposit: false, reference: next.reference, principalCentavos: next.balanceCentavos };
}

async function payByCard(
  { db, engine, sandbox }: ActDeps,
  { buyer, merchant, merchantId, productName }: Subject,
  layaway: LayawayReference,
  card: string,
): Promise<void> {
  const { reference, principalCentavos } = await dueOf(db, layaway);
  const attempt = await startCardPayment(
    { ...engine, db },
    layaway.buyerId,
    {
      reference,
      merchantId,
      intentId: randomUUID(),
      shown: { totalCentavos: totalFor(principalCentavos, feeOf(layaway), 'card'), fills: undefined },
      token: await sandbox.cardToken(card, merchant.cardKeys?.publicKey),
      description: productName,
      customer: { email: buyer.user, phone: buyer.phone, street: '', number: '', postalCode: '' },
      sessionId: undefined,
      userAgent: undefined,
    },
    { sourceAddress: ADDRESS, requestId: randomUUID(), log },
  );
  if (attempt.state !== 'applied')
    throw new Error(`the card payment of ${productName} ended as ${attempt.state}`);
}

async function payAtTill(
  { db, settings, tillId }: ActDeps,
  layaway: LayawayReference,
  part?: Centavos,
): Promise<void> {
  const { isDeposit, reference, principalCentavos } = await dueOf(db, layaway);
  const { error, message } = await (isDeposit ? takeDeposit : takePayment)(
    { db, limiter: createLimiter(db), tillCaps: settings.tillCaps },
    { serviceAccountId: tillId, chain: TILL.chain, merchantIds: [layaway.merchantId] },
    {
      reference,
      amountCentavos: totalFor(part ?? principalCentavos, feeOf(layaway), 'till'),
      chain: TILL.chain,
      branch: TILL.branch,
      transactionId: randomUUID(),
    },
    log,
  );
  if (error !== 0) throw new Error(`the till did not take ${reference}: ${message}`);
}

async function askForStore({ db, cash }: ActDeps, layaway: LayawayReference): Promise<string> {
  const { reference } = await dueOf(db, layaway);
  const issued = await issueCashReference(
    { db, cash },
    layaway.buyerId,
    { reference, chosenCentavos: undefined },
    log,
  );
  return issued.reference.providerReference ?? '';
}

async function payAtStore(deps: ActDeps, layaway: LayawayReference): Promise<void> {
  const { db, cash, sandbox } = deps;
  const operationId = await sandbox.payAtStore(await askForStore(deps, layaway), layaway.now);
  // As after a notice that got no answer at once: the network is asked what the store did.
  await checkCashOperation({ db, cash }, operationId, log);
}

async function invoiceDeposit(
  { db, issuing }: ActDeps,
  { buyerId, purchaseId }: LayawayReference,
): Promise<void> {
  const { instalments } = await readPurchase(db, buyerId, purchaseId ?? 0);
  const fiscalClient = await addFiscalClient(db, buyerId, FISCAL_CLIENT);
  const invoice = await requestInvoice(
    { ...issuing, db, inBackground: () => {} },
    buyerId,
    { instalmentId: instalments[0]?.id ?? 0, fiscalClientId: fiscalClient.id },
    log,
  );
  if (invoice.state !== 'issued') throw new Error(`the invoice ${invoice.id} ended as ${invoice.state}`);
}

/** Of a purchase that was paid by card alone, and waits until the card has its money back. */
async function cancel({ db, engine }: ActDeps, { buyerId, purchaseId }: LayawayReference): Promise<void> {
  if (purchaseId === null) throw new Error('there is no purchase to cancel');
  const request = { notes: 'Encontré otra más cerca', shownCentavos: undefined };
  for (const { id } of await cancelPurchase({ db }, buyerId, purchaseId, request))
    await refundCardPayment({ ...engine, db }, id, log);
  // A server that runs beside us may have been faster, and is still at it.
  for (let tries = 0; tries < 50; tries += 1) {
    const refunds = await readRefunds(db, buyerId, purchaseId);
    if (refunds.every(({ state }) => state === 'done')) return;
    await sleep(100);
  }
  throw new Error(`a refund of the purchase ${purchaseId} was not made`);
}

function feeOf({ feeCentavos, feeMethods }: LayawayReference) {
  return { amountCentavos: feeCentavos, methods: feeMethods };
}
