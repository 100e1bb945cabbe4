import type { Centavos } from '@aparta/domain/money';
import type { LineItem } from '@aparta/ui/line-items.tsx';
import type { Product } from '../data/products.ts';
import { productsCopy } from './copy.ts';

const copy = productsCopy.product;

/** A price with the plan that a buyer is offered for it. */
export function planLines(
  price: Centavos,
  plan: Omit<NonNullable<Product['plan']>, 'link'> | null,
): LineItem[] {
  return [
    { label: copy.price, amount: price },
    ...(plan
      ? [
          { label: copy.today, amount: plan.deposit, strong: true },
          { label: copy.later(plan.payments - 1), amount: plan.each },
          ...(plan.last === plan.each ? [] : [{ label: copy.last, amount: plan.last }]),
          { label: copy.every, text: copy.days(plan.everyDays) },
        ]
      : []),
  ];
}
