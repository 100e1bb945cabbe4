import { DEFAULT_LIST_FILTER, LIST_FILTERS, type ListFilter } from '@aparta/domain/purchase-status';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Empty } from '@aparta/ui/empty.tsx';
import text from '@aparta/ui/text.module.css';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { paths } from '../app/paths.ts';
import { Unresolved } from '../app/unresolved-layaway.tsx';
import { isAwaited } from '../data/is-awaited.ts';
import { countQuery } from '../data/purchase-lists.ts';
import { unresolvedLayawaysQuery } from '../data/unresolved-layaways.ts';
import type { WireWaiting } from '../data/waiting.ts';
import { listCopy } from './list-copy.ts';
import { allPurchases, Waiting } from './waiting-later.ts';

const copy = listCopy.list;

type Active = { buyerId: number; waiting: readonly WireWaiting[]; loading: ReactNode };

/** Where a filter lists nothing: of active ones, and of all, what may be of interest all the same. */
export default function NothingListed({
  filter = DEFAULT_LIST_FILTER,
  onAll = () => {},
  ...active
}: Active & { filter?: ListFilter; onAll?: () => void }) {
  if (filter === LIST_FILTERS.paid_off || filter === LIST_FILTERS.cancelled) {
    return (
      <Empty text={copy.none[filter]}>
        <Button onClick={onAll}>{copy.seeAll}</Button>
      </Empty>
    );
  }
  return <NothingActive {...active} />;
}

/**
 * Where no purchase is active: what is being paid, owed back or to be collected all the same, and what to do. Only who has bought
 * nothing reads spec §2's message. Apart, since most lists are not empty; `loading` stands until all of it is known.
 */
function NothingActive({ buyerId, waiting, loading }: Active) {
  const unresolved = useQuery(unresolvedLayawaysQuery());
  const all = useQuery(countQuery(buyerId, LIST_FILTERS.all));
  if (isAwaited(unresolved) || isAwaited(all)) return loading;
  return (
    <div className={text.stack}>
      {unresolved.data?.map((reference) => (
        <Unresolved key={reference.id} reference={reference} />
      ))}
      {waiting.length > 0 && <Waiting waiting={waiting} />}
      {all.data === 0 ? (
        <Empty text={copy.empty}>
          <ButtonLink variant="primary" icon="qr" to={paths.layaway}>
            {copy.reserve}
          </ButtonLink>
        </Empty>
      ) : (
        <Empty text={copy.noneActive}>
          <ButtonLink variant="primary" to={allPurchases}>
            {copy.seeAll}
          </ButtonLink>
          <ButtonLink icon="qr" to={paths.layaway}>
            {copy.reserve}
          </ButtonLink>
        </Empty>
      )}
    </div>
  );
}
