import { mexicoCityDate } from '@aparta/domain/calendar';
import {
  counterQuote,
  type CounterQuote,
  type CounterSum,
  fillsOf,
  type Owed,
} from '@aparta/domain/counter-quote';
import { type Centavos, sum, zero } from '@aparta/domain/money';
import { feeFor } from '@aparta/domain/service-fee';

import type { Db } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { listRefundsOf } from '../../purchases/cancelling/read-model.ts';
import { findOwedDeposit, findOwedPurchase, type OwedRow, type Payable } from './read-model.ts';

/** What a number stands for at a till or a counter, what is owed, and what each sum would fill. */
export interface LookedUp extends Pick<OwedRow, 'productId' | 'productName' | 'picture' | 'buyerName'> {
  /** The number to take money by. */
  readonly reference: string;
  readonly kind: 'deposit' | 'instalments';
  readonly state: 'open' | 'sold_out' | 'expired' | 'cancelled' | 'paid_off';
  readonly balanceCentavos: Centavos;
  readonly feeCentavos: Centavos;
  readonly isLate: boolean;
  readonly expiresAt: Date | undefined;
  readonly instalments: readonly {
    readonly number: number;
    readonly dueOn: string | undefined;
    readonly amountCentavos: Centavos;
    readonly balanceCentavos: Centavos;
  }[];
  readonly quote: CounterQuote | undefined;
  readonly asked: CounterSum | undefined;
  readonly purchaseId: number | null;
  /** Of a purchase that was cancelled: what its merchant still owes back in cash. */
  readonly owedBackCentavos: Centavos;
}

/** What is owed by what a number stands for. */
export async function readOwed(
  db: Db,
  { layawayReferenceId, purchaseId }: Payable,
  amountCentavos?: Centavos,
): Promise<LookedUp> {
  return purchaseId === null
    ? readDeposit(db, layawayReferenceId, amountCentavos)
    : readPurchase(db, purchaseId, amountCentavos);
}

async function readDeposit(db: Db, id: number, amount: Centavos | undefined): Promise<LookedUp> {
  const row = await findOwedDeposit(db, id);
  if (row === undefined) throw new Refusal('NOT_FOUND');
  const isOver = row.state === 'open' && row.expiresAt <= row.now;
  const ended = isOver || row.state === 'paid' ? 'expired' : row.state;
  const state = ended === 'open' && row.isSoldOut ? 'sold_out' : ended;
  const { depositCentavos } = row;
  const instalments = [
    { number: 1, dueOn: undefined, amountCentavos: depositCentavos, balanceCentavos: depositCentavos },
  ];
  return {
    ...sumsOf(row, { instalments, isDeposit: true, isOpen: state === 'open' }, amount),
    productId: row.productId,
    productName: row.productName,
    picture: row.picture,
    buyerName: row.buyerName,
    reference: row.reference,
    kind: 'deposit',
    state,
    balanceCentavos: depositCentavos,
    isLate: false,
    expiresAt: row.expiresAt,
    instalments,
    purchaseId: null,
    owedBackCentavos: zero,
  };
}

async function readPurchase(db: Db, id: number, amount: Centavos | undefined): Promise<LookedUp> {
  const row = await findOwedPurchase(db, id);
  if (row === undefined) throw new Refusal('NOT_FOUND');
  const { instalments } = row;
  const open = instalments.find(({ balanceCentavos }) => balanceCentavos > 0);
  const state = row.state === 'cancelled' ? 'cancelled' : open === undefined ? 'paid_off' : 'open';
  return {
    ...sumsOf(row, { instalments, isDeposit: false, isOpen: state === 'open' }, amount),
    productId: row.productId,
    productName: row.productName,
    picture: row.picture,
    buyerName: row.buyerName,
    reference: (open ?? instalments.at(-1))?.reference ?? '',
    kind: 'instalments',
    state,
    balanceCentavos: sum(instalments.map(({ balanceCentavos }) => balanceCentavos)),
    isLate: state === 'open' && open !== undefined && open.dueOn < mexicoCityDate(row.now),
    expiresAt: undefined,
    instalments,
    purchaseId: id,
    owedBackCentavos: state === 'cancelled' ? await owedBackOf(db, id) : zero,
  };
}

async function owedBackOf(db: Db, purchaseId: number): Promise<Centavos> {
  const refunds = await listRefundsOf(db, purchaseId);
  const owed = refunds.filter(({ method, state }) => method === 'cash' && state === 'owed');
  return sum(owed.map(({ amountCentavos }) => amountCentavos));
}

function sumsOf(
  { feeCentavos: policyCentavos, feeMethods }: OwedRow,
  { isOpen, ...rest }: Omit<Owed, 'feeCentavos'> & { readonly isOpen: boolean },
  amountCentavos: Centavos | undefined,
) {
  const feeCentavos = feeFor({ amountCentavos: policyCentavos, methods: feeMethods }, 'till');
  const owed: Owed = { ...rest, feeCentavos };
  const fills = isOpen && amountCentavos !== undefined ? fillsOf(owed, amountCentavos) : undefined;
  return {
    feeCentavos,
    quote: isOpen ? counterQuote(owed) : undefined,
    asked: fills === undefined || amountCentavos === undefined ? undefined : { amountCentavos, fills },
  };
}
