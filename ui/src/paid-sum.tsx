import type { Centavos } from '@aparta/domain/money';
import type { ReactNode } from 'react';
import { Amount } from './amount.tsx';
import { Chip } from './chip.tsx';
import { News } from './news.tsx';
import { PaidBadge } from './paid-badge.tsx';
import text from './text.module.css';

/**
 * The head of a receipt: the sum with its badge, above what it paid. `date` is already formatted; a chip without one. `badge`
 * stands instead where the money is not there any more.
 */
export function PaidSum({
  label,
  amount,
  date,
  isNews = false,
  badge = date === undefined ? <Chip state="paid" /> : <PaidBadge date={date} />,
  children,
}: {
  label: string;
  amount: Centavos;
  date?: string | undefined;
  /** It was just paid. */
  isNews?: boolean;
  badge?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <div className={text.withBadge}>
        <News on={isNews}>
          <p className={text.muted}>{label}</p>
          <Amount of={amount} size="hero" />
        </News>
        {badge}
      </div>
      {children}
    </>
  );
}
