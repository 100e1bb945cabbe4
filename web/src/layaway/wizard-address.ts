import { centavos, type Centavos } from '@aparta/domain/money';
import * as v from 'valibot';
import { paths } from '../app/paths.ts';

/** The figures shown at step 2, in centavos. */
const figures = v.object({
  price: money(),
  deposit: money(),
  cardFee: money(),
  tillFee: money(),
  /** Number of instalments after the deposit. */
  later: v.pipe(v.number(), v.integer()),
  /** Days of the promise of delivery. */
  deliveryDays: v.pipe(v.number(), v.integer()),
  /** How many days late it ends by itself. */
  endDaysLate: v.nullable(v.pipe(v.number(), v.integer())),
});
export type Figures = v.InferOutput<typeof figures>;

function money() {
  return v.pipe(
    v.number(),
    v.check((amount) => Number.isSafeInteger(amount) && amount >= 0),
    v.transform((amount): Centavos => centavos(amount)),
  );
}

/** The current step. It is in the URL, so that reload and back restore it. */
export type WizardStep = { step: 'reference' } | { step: 'information' } | { step: 'payment'; id: number };

/** The wizard's URLs, `/apartado` and its query. */
export const wizardAddress = {
  reference: paths.layaway,
  information: `${paths.layaway}?paso=2`,
  payment: paths.layawayReference,
} as const;

/** Parses a URL; anything invalid is step 1. */
export function wizardStep(search: URLSearchParams): WizardStep {
  const step = search.get('paso');
  const id = search.get('id') ?? '';
  if (step === '3' && /^[1-9]\d{0,14}$/.test(id)) return { step: 'payment', id: Number(id) };
  return { step: step === '2' ? 'information' : 'reference' };
}

/** History state of step 3: the figures that step 2 showed. */
export function carry(shown: Figures): { shown: Figures } {
  return { shown };
}

/** The figures in a history entry, or undefined if it was opened by URL alone. */
export function carried(state: unknown): Figures | undefined {
  const parsed = v.safeParse(v.object({ shown: figures }), state);
  return parsed.success ? parsed.output.shown : undefined;
}
