import type { Centavos } from '@aparta/domain/money';
import type { ReactNode } from 'react';
import { Amount } from './amount.tsx';
import { Chip, type ChipState } from './chip.tsx';
import { Icon } from './icon.tsx';
import styles from './timeline.module.css';

/** Instalments by date; children are `TimelineItem`s. */
export function Timeline({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ol className={styles.line} aria-label={label}>
      {children}
    </ol>
  );
}

const nodes = { paid: 'check', late: 'warning', atStore: 'store', confirming: 'clock' } as const;

type ItemState = Extract<ChipState, 'paid' | 'due' | 'late' | 'atStore' | 'confirming' | 'upcoming'>;

/** One instalment. `also`: a second state; `note`: its date in words, while that matters; children: payments and actions. */
export function TimelineItem({
  state,
  also,
  number,
  title,
  amount,
  note,
  chipText,
  children,
}: {
  state: ItemState;
  also?: ItemState;
  number: number;
  title: string;
  amount: Centavos;
  note?: string | undefined;
  chipText?: string;
  children?: ReactNode;
}) {
  return (
    <li className={styles.item} data-state={state}>
      <span className={styles.node} aria-hidden="true">
        {state === 'due' || state === 'upcoming' ? number : <Icon name={nodes[state]} />}
      </span>
      <div className={styles.body}>
        <div className={styles.head}>
          <h3>{title}</h3>
          <Amount of={amount} size="strong" />
        </div>
        <p className={styles.meta}>
          {chipText === undefined ? <Chip state={state} /> : <Chip state={state} text={chipText} />}
          {also && <Chip state={also} />}
          {note !== undefined && <span>{note}</span>}
        </p>
        {children}
      </div>
    </li>
  );
}
