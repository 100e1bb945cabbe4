import { centavosFromPesos } from '@aparta/contract/amount';
import { cashReference, generateReference, type CashReference } from '@aparta/contract/cash';
import type { Reply } from '@aparta/contract/endpoint';
import { OPEN_ATTEMPT_STATES } from '@aparta/contract/payments';
import { getInstalment } from '@aparta/contract/purchases';
import { getReceipt } from '@aparta/contract/receipts';
import type { DateOnly } from '@aparta/domain/calendar';
import { subtract, type Centavos } from '@aparta/domain/money';
import { STATUS_CODES } from '@aparta/domain/purchase-status';
import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { call } from '../api/client.ts';
import { shownCashReference } from '../session/cash-reference.ts';

/**
 * Whether a store can take this instalment. `confirming`: a card payment is still open, so nothing else may
 * be paid.
 */
export type InstalmentState = 'payable' | 'confirming' | 'paid' | 'cancelled';

export type Instalment = {
  id: number;
  purchaseId: number;
  number: number;
  of: number;
  state: InstalmentState;
  product: string;
  merchant: string;
  paymentReference: string;
  amount: Centavos;
  paid: Centavos;
  balance: Centavos;
  /** Balance plus the store's fee. */
  total: Centavos;
  /** An older instalment is unpaid and gets the money first (rules/layaways#paying). */
  isBehind: boolean;
  /** The newest payment applied to it. */
  newest: { folio: string; amount: Centavos; method: 'card' | 'till' | 'cash' } | undefined;
  /**
   * When its reference expires (ms since 1970); null if none is alive, undefined if the server did not say.
   */
  referenceUntil: number | null | undefined;
};

export type StoreReference = {
  purchaseId: number;
  instalmentId: number;
  number: number;
  of: number;
  product: string;
  merchant: string;
  dueOn: DateOnly;
  /** For people; `bars` is for the scanner. */
  value: string;
  bars: string;
  balance: Centavos;
  fee: Centavos;
  total: Centavos;
  expiresAt: Date;
  /** `takesIt`: this amount is within the chain's limit. */
  stores: readonly { name: string; limit: Centavos; takesIt: boolean }[];
};

/** The server may have to ask the store network twice. */
const ISSUE_TIMEOUT_MS = 35_000;

/** Prefix of every query key here. */
const ALL = ['store payment'] as const;

/** An instalment, always fresh: a store may report it paid at any time. */
export const instalmentQuery = (id: number) =>
  queryOptions({
    queryKey: [...ALL, 'instalment', id],
    staleTime: 0,
    queryFn: ({ signal }) => call(getInstalment, { params: { id } }, { signal }),
    select: readInstalment,
  });

/**
 * The store reference for a balance. Asking again returns the live one; a different balance gets a new one.
 */
export const referenceQuery = ({
  paymentReference,
  balance,
}: Pick<Instalment, 'paymentReference' | 'balance'>) =>
  queryOptions({
    queryKey: [...ALL, 'reference', paymentReference, balance],
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    queryFn: async ({ signal }) => {
      const body = { generationData: [{ identifierValue: paymentReference }] };
      return (await call(generateReference, { body }, { signal, timeoutMs: ISSUE_TIMEOUT_MS })).data;
    },
  });

export type Receipt = ReturnType<typeof readReceipt>;

export const receiptQuery = (folio: string) =>
  queryOptions({
    queryKey: [...ALL, 'receipt', folio],
    queryFn: ({ signal }) => call(getReceipt, { params: { folio } }, { signal }),
    select: readReceipt,
  });

/** The reference last shown on this device for an instalment, if it can still be paid. */
export function savedReference(buyerId: number, instalmentId: number, now: Date): CashReference | undefined {
  const { success, output } = v.safeParse(cashReference, shownCashReference.of(buyerId, instalmentId));
  return success && new Date(output.expiresAt) > now ? output : undefined;
}

export function readReference(wire: CashReference): StoreReference {
  const total = centavosFromPesos(wire.amount);
  const fee = centavosFromPesos(wire.fee);
  return {
    purchaseId: wire.ventaId,
    instalmentId: wire.cxcId,
    number: wire.identificador,
    of: wire.numCxc,
    product: wire.productName,
    merchant: wire.tradeName,
    dueOn: wire.fechaVencimiento,
    value: wire.references[0]?.value ?? wire.barcode,
    bars: wire.barcode,
    balance: subtract(total, fee),
    fee,
    total,
    expiresAt: new Date(wire.expiresAt),
    stores: wire.stores.map(({ name, limit }) => {
      const most = centavosFromPesos(limit);
      return { name, limit: most, takesIt: most >= total };
    }),
  };
}

function readInstalment({ data }: Reply<typeof getInstalment>): Instalment {
  const newest = data.cxcPagos.at(-1);
  const until = data.cashReferenceExpiresAt;
  return {
    id: data.id,
    purchaseId: data.ventaId,
    number: data.identificador,
    of: data.numCxc,
    state: stateOf(data),
    product: data.productName,
    merchant: data.tradeName,
    paymentReference: data.paymentReference,
    amount: centavosFromPesos(data.valor),
    paid: centavosFromPesos(data.pagos),
    balance: centavosFromPesos(data.saldo),
    total: centavosFromPesos(data.cashTotal),
    isBehind: !data.visibleAlPago,
    newest: newest && {
      folio: newest.folio,
      amount: centavosFromPesos(newest.monto),
      method: newest.method,
    },
    referenceUntil: typeof until === 'string' ? Date.parse(until) : until,
  };
}

/** Whether a payment at a store could still change it. */
export function mayChange({ data }: Reply<typeof getInstalment>): boolean {
  return data.saldo > 0 && data.estatusVentaId !== STATUS_CODES.cancelled;
}

function stateOf({ saldo, estatusVentaId, attempt }: Reply<typeof getInstalment>['data']): InstalmentState {
  if (estatusVentaId === STATUS_CODES.cancelled) return 'cancelled';
  if (saldo === 0) return 'paid';
  return attempt && OPEN_ATTEMPT_STATES.includes(attempt.state) ? 'confirming' : 'payable';
}

function readReceipt({ data }: Reply<typeof getReceipt>) {
  return {
    paidAt: new Date(data.paidAt),
    amount: centavosFromPesos(data.amount),
    fee: centavosFromPesos(data.fee),
    parts: data.parts.map(({ number, of, amount }) => ({ number, of, amount: centavosFromPesos(amount) })),
    left: centavosFromPesos(data.balance),
    nextDueOn: data.nextDueOn ?? undefined,
    returned: centavosFromPesos(data.refunded),
  };
}
