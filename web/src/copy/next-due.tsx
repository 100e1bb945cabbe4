import { formatDate, type DateOnly } from '@aparta/domain/calendar';
import { Chip } from '@aparta/ui/chip.tsx';
import type { LineItem } from '@aparta/ui/line-items.tsx';
import { useToday } from '@aparta/ui/use-today.ts';

/** When the next payment of a purchase is due, below what was just paid; none where nothing is left. */
export function nextDueRow(label: string, dueOn: DateOnly | undefined): LineItem[] {
  return dueOn === undefined ? [] : [{ label, text: <NextDue on={dueOn} />, strong: true }];
}

/** A part payment may leave a date that is over: late, as on the purchase's page. */
function NextDue({ on }: { on: DateOnly }) {
  const today = useToday();
  return on < today ? <Chip state="late" text={`Venció el ${formatDate(on)}`} /> : formatDate(on);
}
