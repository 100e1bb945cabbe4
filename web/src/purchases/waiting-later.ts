import { lazy, type ComponentType } from 'react';
import { paths } from '../app/paths.ts';
import type { WireWaiting } from '../data/waiting.ts';

type Part = { default: ComponentType<{ waiting: readonly WireWaiting[] }> };
/** Most buyers have nothing of it; without its code the rest of the screen stands. */
export const Waiting = lazy(() => import('./waiting.tsx').catch((): Part => ({ default: () => null })));

/** The list of all purchases, whatever their state. */
export const allPurchases = `${paths.purchases}?filtro=todas`;
