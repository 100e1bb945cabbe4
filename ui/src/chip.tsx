import { partsCopy } from './parts-copy.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './chip.module.css';

const states = {
  active: ['neutral', 'active'],
  paid_off: ['paid', 'check'],
  cancelled: ['neutral', 'cancelled'],
  paid: ['paid', 'check'],
  due: ['next', 'clock'],
  atStore: ['pending', 'store'],
  confirming: ['pending', 'clock'],
  late: ['danger', 'warning'],
  invoiced: ['neutral', 'invoice'],
  upcoming: ['neutral', 'calendar'],
} as const satisfies Record<keyof typeof partsCopy.chip, readonly [Tone, IconName]>;

type Tone = 'neutral' | 'next' | 'paid' | 'pending' | 'danger';
export type ChipState = keyof typeof states;

/**
 * A state as text, icon and colour. `text` replaces the default word where a nearer one fits ('Vence
 * mañana').
 */
export function Chip({ state, text = partsCopy.chip[state] }: { state: ChipState; text?: string }) {
  const [tone, icon] = states[state];
  return (
    <span className={`${styles.chip} ${styles[tone]}`}>
      <Icon name={icon} />
      {text}
    </span>
  );
}
