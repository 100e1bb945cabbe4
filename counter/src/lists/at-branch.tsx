import { Select } from '@aparta/ui/other-fields.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { closedBranchesQuery, type ClosedBranch } from '../data/cuts.ts';
import { session, useBranch, useSession } from '../session/session.ts';
import { listsCopy as copy } from './copy.ts';

interface Place {
  readonly id: number;
  readonly name: string;
  readonly isClosed: boolean;
}

/**
 * Where the device stands, and a choice of the person's branches, closed ones with something left among them: `children` show what
 * is there, of undefined that there is none.
 */
export function AtBranch({
  left,
  children,
}: {
  left: (closed: ClosedBranch) => boolean;
  children: (place: Place | undefined) => ReactNode;
}) {
  const own = useBranch();
  const open = useSession()?.branches ?? [];
  const { data = [] } = useQuery(closedBranchesQuery);
  const [closedId, setClosedId] = useState<number>();
  const closed = data.filter(left);
  const chosen = closed.find(({ id }) => id === closedId);
  const place = chosen ?? own ?? closed[0];
  const places = [...open, ...closed.map(({ id, name }) => ({ id, name: copy.closedBranch(name) }))];
  const choose = (id: number) => {
    const isClosed = closed.some((each) => each.id === id);
    setClosedId(isClosed ? id : undefined);
    if (!isClosed) session.chooseBranch(id);
  };
  return (
    <>
      {places.length > 1 && place && (
        <Select
          label={copy.branch}
          name="branch"
          value={String(place.id)}
          options={places.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={(event) => choose(Number(event.currentTarget.value))}
        />
      )}
      {children(place && { id: place.id, name: place.name, isClosed: place !== own })}
    </>
  );
}
