import { lazy, type ComponentType } from 'react';
import type { WireWaiting } from '../data/waiting.ts';

/** Most buyers have nothing of it; without its code the rest of the screen stands. */
type Part = { default: ComponentType<{ waiting: readonly WireWaiting[] }> };
export const Waiting = lazy(() => import('./waiting.tsx').catch((): Part => ({ default: () => null })));
