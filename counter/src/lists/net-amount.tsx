import { centavos } from '@aparta/domain/money';
import { Amount } from '@aparta/ui/amount.tsx';
import text from '@aparta/ui/text.module.css';
import type { ComponentProps } from 'react';
import { listsCopy as copy } from './copy.ts';

/** What came less what went, in centavos: below zero it has a sign, read aloud too. */
export function NetAmount({
  of,
  size,
}: {
  of: number;
  size: NonNullable<ComponentProps<typeof Amount>['size']>;
}) {
  const amount = <Amount of={centavos(Math.abs(of))} size={size} />;
  if (of >= 0) return amount;
  return (
    <span className={text.noBreak}>
      <span className={text.srOnly}>{copy.less}</span>
      <span aria-hidden="true">-</span>
      {amount}
    </span>
  );
}
