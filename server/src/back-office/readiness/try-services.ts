import type { InvoicingProvider } from '../../invoicing/provider/port.ts';
import { checkCardKeys, type KeyCheck, listUnopened } from '../../payments/card-keys/save-card-keys.ts';
import type { CashProvider } from '../../payments/cash/port.ts';
import type { Mailer } from '../../platform/email/port.ts';
import type { Named } from './check-readiness.ts';
import { listMerchantGaps } from './read-model.ts';

/** One thing that was tried. `keys`: every stored secret was opened. */
export interface Trial {
  readonly service: 'keys' | 'card' | 'cash' | 'email' | 'invoicing';
  readonly merchant?: Named;
  readonly found: KeyCheck | { readonly kind: 'opened'; readonly count: number };
  /** Of a pair that does not open: the key of the key ring that it needs. */
  readonly keyId?: string;
  readonly tookMs: number;
  /** It failed, and money cannot be taken somewhere because of it. */
  readonly stops: boolean;
}

/** Whether what was tried did not work. */
export function hasFailed({ found }: Trial): boolean {
  return found.kind !== 'works' && found.kind !== 'opened';
}

type Deps = Parameters<typeof checkCardKeys>[0] & {
  readonly cash: Pick<CashProvider, 'check'>;
  readonly mailer: Pick<Mailer, 'check'>;
  readonly invoicing: Pick<InvoicingProvider, 'check'>;
};

/** Merchants that are tried at once: providers refuse who asks too much. */
const AT_ONCE = 20;

/**
 * Tries all that a payment needs outside the database: opens every stored secret, and makes the providers one call each that
 * charges, stamps and sends nothing. Each wait ends by its adapter's own.
 */
export async function tryServices(deps: Deps, now: Date): Promise<Trial[]> {
  const { all, unopened } = await listUnopened(deps.keyRing, deps.db);
  const merchants = await listMerchantGaps(deps.db);
  const named = (id: number): Named => ({ id, name: merchants.find((each) => each.id === id)?.name ?? '' });
  const [cash, email, ofMerchants] = await Promise.all([
    tried('cash', () => deps.cash.check()),
    tried('email', () => deps.mailer.check()),
    inTurns(merchants, async ({ id, name, card_key, invoicing_business_uuid }) => {
      const merchant = { id, name };
      const opens = !unopened.some(
        ({ publicKey, merchantId }) => merchantId === id && publicKey === card_key,
      );
      return Promise.all([
        ...(card_key !== null && opens ? [tried('card', () => checkCardKeys(deps, id, now), merchant)] : []),
        ...(invoicing_business_uuid === ''
          ? []
          : [tried('invoicing', () => deps.invoicing.check(invoicing_business_uuid), merchant)]),
      ]);
    }),
  ]);
  return [
    ...(all > unopened.length ? [openedAll(all - unopened.length)] : []),
    ...unopened.map(({ merchantId, secretKeyId }) => ({
      service: 'keys' as const,
      merchant: named(merchantId),
      found: { kind: 'opens_not' as const },
      keyId: secretKeyId,
      tookMs: 0,
      stops: true,
    })),
    // A test key in production is told of as what is missing.
    ...ofMerchants.flat().filter(({ found }) => found.kind !== 'test'),
    cash,
    email,
  ];
}

function openedAll(count: number): Trial {
  return { service: 'keys', found: { kind: 'opened', count }, tookMs: 0, stops: false };
}

async function tried(
  service: Trial['service'],
  check: () => Promise<KeyCheck>,
  merchant?: Named,
): Promise<Trial> {
  const begun = performance.now();
  const found = await check();
  const tookMs = Math.round(performance.now() - begun);
  const trial = { service, ...(merchant && { merchant }), found, tookMs, stops: false };
  return { ...trial, stops: hasFailed(trial) && (service === 'card' || service === 'cash') };
}

async function inTurns<T, R>(all: readonly T[], each: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE)
    done.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(each))));
  return done;
}
