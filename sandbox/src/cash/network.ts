import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { addDays, endOfDayInMexicoCity } from '@aparta/domain/calendar';
import { centavos, type Centavos, centavosToPesos, pesosToCentavos } from '@aparta/domain/money';
import {
  type ErrorBody,
  type Operation,
  type OperationStatus,
  referenceRequest,
  type ReferenceReply,
  type ReferenceRequest,
  type ReferenceState,
} from '@aparta/provider-wire/tapi';
import * as v from 'valibot';
import type { Answer } from '../answer.ts';
import { type Clock, dayOf } from '../clock.ts';
import type { Journal, Table } from '../journal.ts';

/** The one account at Tapi. Fixed, so that the product's development settings can name it. */
export const demoAccount = {
  clientUsername: 'aparta-demo',
  password: 'aparta-demo-2026',
  loginKey: 'demo-login-key',
  referencesKey: 'demo-references-key',
  companyCode: 'MX-S-00001',
  modalityId: 'b0000000-0000-4000-8000-000000000001',
  identifierName: 'referencia',
  /** The key that Tapi sends with its notices. */
  noticeKey: 'aparta-development-notices',
} as const;

/** Limits as similar providers in Mexico have them; Tapi's are not known. */
const amountLimits = { least: centavos(3_000), most: centavos(1_000_000) };
const mostDays = 30;
export const ordinaryTokenLifeMs = 15_480_000;

/** An issued reference. Its id is what the store scans. */
export type ReferenceRow = {
  id: string;
  createdAt: number;
  amountCentavos: Centavos;
  /** The last day on which it should be paid. */
  expiresOn: string;
  /** The buyer's payment reference at the product. */
  identifier: string;
  request: ReferenceRequest;
};

/** What a store did. A reversal is an operation too. */
export type OperationRow = {
  id: string;
  at: number;
  /** As typed at the counter; the control can pay a reference that was never issued. */
  reference: string;
  amountCentavos: Centavos;
  currency: string;
  status: OperationStatus;
  paidAt: number;
  store: string;
  agent: string;
  reverses: string | null;
};

export type CounterPayment = {
  reference: string;
  /** The amount due, when left out. */
  amountCentavos?: Centavos | undefined;
  currency?: string | undefined;
  status?: 'confirmed' | 'failed' | undefined;
  paidAt?: number | undefined;
  store?: string | undefined;
  agent?: string | undefined;
};

/** Tapi and its stores: tokens, references, and what stores did with them. */
export type CashNetwork = {
  clock: Clock;
  tokens: Table<{ id: string; diesAt: number }>;
  references: Table<ReferenceRow>;
  operations: Table<OperationRow>;
  /** The key that access tokens are signed with. */
  signature: Buffer;
  /** How long a new access token lives. */
  tokenLifeMs: number;
};

export function openCashNetwork({ journal, clock }: { journal: Journal; clock: Clock }): CashNetwork {
  return {
    clock,
    tokens: journal.table('cashTokens'),
    references: journal.table('cashReferences'),
    operations: journal.table('cashOperations'),
    signature: randomBytes(32),
    tokenLifeMs: ordinaryTokenLifeMs,
  };
}

/** POST /reference. */
export function createReference(network: CashNetwork, body: unknown): Answer {
  const given = v.safeParse(referenceRequest, body);
  if (!given.success) return refuse(400, 'INVALID_REQUEST', v.summarize(given.issues));
  const request = given.output;
  const before = network.references
    .all()
    .find((row) => row.request.externalRequestId === request.externalRequestId);
  if (before !== undefined) {
    return isDeepStrictEqual(before.request, request)
      ? { status: 200, body: presentReference(before) }
      : refuse(409, 'EXTERNAL_REQUEST_ID_USED');
  }
  const [data] = request.generationData;
  if (request.companyCode !== demoAccount.companyCode) return refuse(404, 'COMPANY_NOT_FOUND');
  if (data?.modalityId !== demoAccount.modalityId || data.identifierName !== demoAccount.identifierName)
    return refuse(400, 'MODALITY_NOT_FOUND');
  const amountCentavos = pesosToCentavos(request.amount) ?? centavos(0);
  if (amountCentavos < amountLimits.least || amountCentavos > amountLimits.most)
    return refuse(400, 'AMOUNT_OUT_OF_RANGE');
  const expiresOn = request.additionalData.debtExpirationDate;
  const today = dayOf(network.clock.now());
  if (expiresOn < today || expiresOn > addDays(today, mostDays))
    return refuse(400, 'EXPIRATION_OUT_OF_RANGE');
  const row = network.references.put({
    id: newReference(network),
    createdAt: network.clock.now(),
    amountCentavos,
    expiresOn,
    identifier: data.identifierValue,
    request,
  });
  return { status: 201, body: presentReference(row) };
}

/** Sixteen digits that no other reference has. */
function newReference(network: CashNetwork): string {
  const some = (count: number) => String(randomInt(10 ** count)).padStart(count, '0');
  const digits = `9${some(7)}${some(8)}`;
  return network.references.get(digits) === undefined ? digits : newReference(network);
}

/** GET /operation/{operationId}. */
export function findOperation(network: CashNetwork, id: string): Answer {
  const row = network.operations.get(id);
  return row === undefined
    ? refuse(404, 'OPERATION_NOT_FOUND')
    : { status: 200, body: presentOperation(network, row) };
}

/** GET /reference/{externalRequestId}: with all that stores did with it. */
export function findReference(network: CashNetwork, externalRequestId: string): Answer {
  const row = network.references.all().find(({ request }) => request.externalRequestId === externalRequestId);
  if (row === undefined) return refuse(404, 'REFERENCE_NOT_FOUND');
  const operations = network.operations.all().filter(({ reference }) => reference === row.id);
  const body: ReferenceState = {
    ...presentReference(row),
    externalRequestId,
    operations: operations.map((operation) => presentOperation(network, operation)),
  };
  return { status: 200, body };
}

/** An operation on the wire. */
export function presentOperation(network: CashNetwork, row: OperationRow): Operation {
  const { request } = network.references.get(row.reference) ?? {};
  const amount = centavosToPesos(row.amountCentavos);
  return {
    operationId: row.id,
    status: row.status,
    reference: row.reference,
    ...(request && {
      externalRequestId: request.externalRequestId,
      externalClientId: request.externalClientId,
      companyCode: request.companyCode,
    }),
    amount,
    currency: row.currency,
    paidAt: new Date(row.paidAt).toISOString(),
    store: row.store,
    agent: row.agent,
    hash: createHash('sha256').update(`${row.id}|${row.status}|${amount}`).digest('hex'),
    ...(row.reverses !== null && { reversedOperationId: row.reverses }),
  };
}

/** Takes cash at a counter. Throws a RangeError for a reference that was never issued, unless an amount is given. */
export function pay(network: CashNetwork, payment: CounterPayment): OperationRow {
  const amountCentavos = payment.amountCentavos ?? network.references.get(payment.reference)?.amountCentavos;
  if (amountCentavos === undefined) throw new RangeError('no such reference, and no amount');
  return network.operations.put({
    id: randomUUID(),
    at: network.clock.now(),
    reference: payment.reference,
    amountCentavos,
    currency: payment.currency ?? 'MXN',
    status: payment.status ?? 'confirmed',
    paidAt: payment.paidAt ?? network.clock.now(),
    store: payment.store ?? '7-Eleven',
    agent: payment.agent ?? 'Sucursal 1',
    reverses: null,
  });
}

/** Reverses an operation. Returns the reversal, or undefined when there is nothing left to reverse. */
export function reverse(network: CashNetwork, id: string): OperationRow | undefined {
  const row = network.operations.get(id);
  if (row?.status !== 'confirmed') return undefined;
  network.operations.put({ ...row, status: 'reversed' });
  const at = network.clock.now();
  return network.operations.put({
    ...row,
    id: randomUUID(),
    at,
    status: 'reversed',
    paidAt: at,
    reverses: id,
  });
}

/** The end of a reference's last day. */
export function expiresAt(row: ReferenceRow): number {
  return endOfDayInMexicoCity(row.expiresOn).getTime();
}

/** What stores took for a reference and did not give back. */
export function takenFor({ operations }: CashNetwork, reference: string): Centavos {
  return centavos(
    operations
      .all()
      .filter((row) => row.reference === reference && row.status === 'confirmed')
      .reduce((total, row) => total + row.amountCentavos, 0),
  );
}

function presentReference(row: ReferenceRow): ReferenceReply {
  const tx = randomUUID();
  return { references: [{ value: row.id, modalityId: demoAccount.modalityId }], tx, mainTx: tx };
}

export function refuse(status: number, code: string, message = code): Answer {
  return { status, body: { message, code } satisfies ErrorBody };
}
