import { ButtonLink } from '@aparta/ui/button.tsx';
import { Empty } from '@aparta/ui/empty.tsx';
import type { ReactNode } from 'react';
import { paths, purchasesAddress } from '../app/paths.ts';
import { Row, Rows } from '../lists/row.tsx';
import { todayCopy } from './copy.ts';

const copy = todayCopy.list;

/** With the rows, whose height nobody knows before. */
export function Back() {
  return (
    <ButtonLink wide to={paths.today}>
      {copy.back}
    </ButtonLink>
  );
}

interface LineOf {
  readonly id: number | string;
  readonly title: string;
  readonly amount: number;
  readonly purchaseId: number | null;
  readonly facts: readonly (string | false)[];
  readonly act?: ReactNode;
}

/** Money, line by line, each leading to its purchase. */
export function Lines({ lines }: { lines: readonly LineOf[] }) {
  if (lines.length === 0) return <Empty text={copy.none} />;
  return (
    <Rows>
      {lines.map(({ id, title, amount, purchaseId, facts, act }) => (
        <Row
          key={id}
          title={title}
          amount={amount}
          facts={facts.filter(Boolean).join(' · ')}
          to={purchaseId === null ? undefined : purchasesAddress({ show: 'all' }, purchaseId)}
        >
          {act}
        </Row>
      ))}
    </Rows>
  );
}
