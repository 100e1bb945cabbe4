import { createHash, createHmac, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { addDays, endOfDayInMexicoCity } from '@aparta/domain/calendar';
import { centavos, type Centavos, centavosToPesos, pesosToCentavos } from '@aparta/domain/money';
import {
  badCredentialsCode,
  type ErrorBody,
  loginRequest,
  type LoginReply,
  type Operation,
  type OperationStatus,
  referenceRequest,
  type ReferenceReply,
  type ReferenceRequest,
} from '@aparta/provider-wire/tapi';
import * as v from 'valibot';
import type { Answer } from '../answer.ts';
import { type Clock, dayOf } from '../clock.ts';
import type { Journal, Table } from '../journal.ts';

/** The one account of the store network. Fixed, so that the product's development settings can name it. */
export const demoAccount = {
  clientUsername: 'aparta-demo',
  password: 'aparta-demo-2026',
  loginKey: 'demo-login-key',
  referencesKey: 'demo-references-key',
  companyCode: 'MX-S-00001',
  modalityId: 'b0000000-0000-4000-8000-000000000001',
  identifierName: 'referencia',
  /** What the product told the network to send with its notices. */
  noticeKey: 'aparta-development-notices',
} as const;

/** As other networks in Mexico have it; Tapi's own are not known. */
const amountLimits = { least: centavos(3_000), most: centavos(1_000_000) };
const mostDays = 30;
const ordinaryTokenLifeMs = 15_480_000;

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

/** What a store did. A reversal is one of its own. */
export type OperationRow = {
  id: string;
  at: number;
  /** As typed at the counter; the control can pay what nobody issued. */
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
  /** What is due, when left out. */
  amountCentavos?: Centavos | undefined;
  currency?: string | undefined;
  status?: 'confirmed' | 'failed' | undefined;
  paidAt?: number | undefined;
  store?: string | undefined;
  agent?: string | undefined;
};

export type CashNetwork = ReturnType<typeof createCashNetwork>;

/** The store network: sign-in, references, and what the stores did with them, over one journal. */
export function createCashNetwork({ journal, clock }: { journal: Journal; clock: Clock }) {
  const tokens: Table<{ id: string; diesAt: number }> = journal.table('cashTokens');
  const references: Table<ReferenceRow> = journal.table('cashReferences');
  const operations: Table<OperationRow> = journal.table('cashOperations');
  const signature = randomBytes(32);
  let tokenLifeMs = ordinaryTokenLifeMs;

  /** POST /login. */
  function signIn(key: string | undefined, body: unknown): Answer {
    if (key !== demoAccount.loginKey) return refuse(403, 'FORBIDDEN');
    const given = v.safeParse(loginRequest, body);
    if (!given.success) return refuse(400, 'INVALID_REQUEST', v.summarize(given.issues));
    const { clientUsername, password } = given.output;
    if (clientUsername !== demoAccount.clientUsername || password !== demoAccount.password)
      return refuse(401, badCredentialsCode, 'bad user or password');
    const diesAt = clock.now() + tokenLifeMs;
    const accessToken = jwt({
      clientCompany: 'aparta',
      clientCountryCode: 'MX',
      jti: randomUUID(),
      exp: diesAt / 1_000,
    });
    tokens.put({ id: accessToken, diesAt });
    const tx = randomUUID();
    const answer: LoginReply = { accessToken, refreshToken: 'of-no-use', tx, mainTx: tx };
    return { status: 200, body: answer };
  }

  function jwt(payload: object): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(payload)}`;
    return `${signed}.${createHmac('sha256', signature).update(signed).digest('base64url')}`;
  }

  /** Whether a call may go on; else its answer. */
  function refusalOf(key: string | undefined, token: string | undefined): Answer | undefined {
    if (key !== demoAccount.referencesKey) return refuse(403, 'FORBIDDEN');
    const diesAt = tokens.get(token ?? '')?.diesAt ?? 0;
    return diesAt > clock.now() ? undefined : refuse(401, 'UNAUTHORIZED');
  }

  /** POST /reference. */
  function createReference(body: unknown): Answer {
    const given = v.safeParse(referenceRequest, body);
    if (!given.success) return refuse(400, 'INVALID_REQUEST', v.summarize(given.issues));
    const request = given.output;
    const before = references
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
    const today = dayOf(clock.now());
    if (expiresOn < today || expiresOn > addDays(today, mostDays))
      return refuse(400, 'EXPIRATION_OUT_OF_RANGE');
    const row = references.put({
      id: newReference(),
      createdAt: clock.now(),
      amountCentavos,
      expiresOn,
      identifier: data.identifierValue,
      request,
    });
    return { status: 201, body: presentReference(row) };
  }

  /** Sixteen digits that no other reference has. */
  function newReference(): string {
    const some = (count: number) => String(randomInt(10 ** count)).padStart(count, '0');
    const digits = `9${some(7)}${some(8)}`;
    return references.get(digits) === undefined ? digits : newReference();
  }

  /** GET /operation/{operationId}. */
  function findOperation(id: string): Answer {
    const row = operations.get(id);
    return row === undefined ? refuse(404, 'OPERATION_NOT_FOUND') : { status: 200, body: present(row) };
  }

  /** An operation on the wire. */
  function present(row: OperationRow): Operation {
    const { request } = references.get(row.reference) ?? {};
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

  /** Money at a counter. RangeError when nobody issued the reference and no amount is given. */
  function pay(payment: CounterPayment): OperationRow {
    const amountCentavos = payment.amountCentavos ?? references.get(payment.reference)?.amountCentavos;
    if (amountCentavos === undefined) throw new RangeError('no such reference, and no amount');
    return operations.put({
      id: randomUUID(),
      at: clock.now(),
      reference: payment.reference,
      amountCentavos,
      currency: payment.currency ?? 'MXN',
      status: payment.status ?? 'confirmed',
      paidAt: payment.paidAt ?? clock.now(),
      store: payment.store ?? '7-Eleven',
      agent: payment.agent ?? 'Sucursal 1',
      reverses: null,
    });
  }

  /** Takes an operation back: the reversal, or undefined when there is nothing (left) to take back. */
  function reverse(id: string): OperationRow | undefined {
    const row = operations.get(id);
    if (row?.status !== 'confirmed') return undefined;
    operations.put({ ...row, status: 'reversed' });
    const at = clock.now();
    return operations.put({ ...row, id: randomUUID(), at, status: 'reversed', paidAt: at, reverses: id });
  }

  return {
    references,
    operations,
    signIn,
    refusalOf,
    createReference,
    findOperation,
    present,
    pay,
    reverse,
    signIns: () => tokens.count(),
    /** New tokens live so long; `endAll` ends the ones there are. */
    setTokens({ lifeMs, endAll }: { lifeMs?: number | undefined; endAll?: boolean | undefined }) {
      tokenLifeMs = lifeMs ?? ordinaryTokenLifeMs;
      if (endAll === true) for (const token of tokens.all()) tokens.put({ ...token, diesAt: 0 });
    },
    reset() {
      tokenLifeMs = ordinaryTokenLifeMs;
    },
    /** The end of a reference's last day. */
    expiresAt: (row: ReferenceRow) => endOfDayInMexicoCity(row.expiresOn).getTime(),
    /** What stores took for a reference and did not give back. */
    takenFor: (reference: string): Centavos =>
      centavos(
        operations
          .all()
          .filter((row) => row.reference === reference && row.status === 'confirmed')
          .reduce((total, row) => total + row.amountCentavos, 0),
      ),
  };
}

function presentReference(row: ReferenceRow): ReferenceReply {
  const tx = randomUUID();
  return { references: [{ value: row.id, modalityId: demoAccount.modalityId }], tx, mainTx: tx };
}

export function refuse(status: number, code: string, message = code): Answer {
  return { status, body: { message, code } satisfies ErrorBody };
}
