import type { Allocation } from '@aparta/domain/allocation';
import { formatMoney, type Centavos } from '@aparta/domain/money';

/** What a sum fills of a plan, and what is left then: 'Termina el pago 2 y abona $140.20 al 3. Quedarían $3,119.40.' */
export function fillsText(
  plan: readonly { readonly number: number; readonly balance: Centavos }[],
  fills: Allocation['parts'],
  left: Centavos,
): string {
  if (left === 0) return 'Con esto liquidas tu compra.';
  const isDone = ({ number, amountCentavos }: Allocation['parts'][number]) =>
    plan.some((each) => each.number === number && each.balance === amountCentavos);
  const done = fills.filter(isDone).map(({ number }) => number);
  const part = fills.find((each) => !isDone(each));
  const ends = done.length > 0 && `ermina ${done.length === 1 ? 'el pago' : 'los pagos'} ${listed(done)}`;
  const adds = part && `bona ${formatMoney(part.amountCentavos)} al ${ends ? '' : 'pago '}${part.number}`;
  const what = ends ? `T${ends}${adds ? ` y a${adds}` : ''}` : `A${adds ?? ''}`;
  return `${what}. Quedarían ${formatMoney(left)}.`;
}

/** '2', '2 y 3', '2 a 5'. */
function listed(numbers: readonly number[]): string {
  const [first = 0] = numbers;
  const last = numbers.at(-1) ?? first;
  if (first === last) return String(first);
  return `${first} ${last === first + 1 ? 'y' : 'a'} ${last}`;
}
