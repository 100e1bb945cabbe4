import { formatDate } from '@aparta/domain/calendar';
import { FactList } from '@aparta/ui/fact-list.tsx';
import type { PurchaseDetail } from '../data/purchases.ts';
import { detailCopy } from './detail-copy.ts';

const copy = detailCopy.kept;

/** That the shop keeps the thing, where, and when somebody last looked. */
export function Kept({ kept }: { kept: NonNullable<PurchaseDetail['kept']> }) {
  const since = copy.since(formatDate(kept.since));
  const checked = kept.checked && copy.checked(formatDate(kept.checked));
  return (
    <FactList
      facts={[{ icon: 'store', title: copy.at(kept.branch), text: checked ? `${since} ${checked}` : since }]}
    />
  );
}
