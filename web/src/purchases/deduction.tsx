import type { Centavos } from '@aparta/domain/money';
import { Amount } from '@aparta/ui/amount.tsx';
import text from '@aparta/ui/text.module.css';

/** A deducted amount: '−$2,000.00'. */
export function Deduction({ amount }: { amount: Centavos }) {
  if (amount === 0) return <Amount of={amount} />;
  return (
    <span className={text.noBreak}>
      <span aria-hidden="true">−</span>
      <span className={text.srOnly}>menos </span>
      <Amount of={amount} />
    </span>
  );
}
