import { sentenceFor } from '@aparta/browser/copy.ts';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { Empty } from '@aparta/ui/empty.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { LineItems, type LineItem } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import { Skeleton, SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useToday } from '@aparta/ui/use-today.ts';
import { useQuery } from '@tanstack/react-query';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { statementQuery, type Range, type Statement } from '../data/statement.ts';
import { statementCopy as copy } from './statement-copy.ts';
import { Dues, Lines } from './statement-lines.tsx';
import { Period } from './statement-period.tsx';
import { rangeIn } from './statement-range.ts';
import { SaveStatement } from './statement-save.tsx';
import styles from './statement.module.css';

/** The buyer's account in the days that `of` means: what was due, paid and owed, with the balance after each line. */
export default function StatementPage({ of }: { of: string }) {
  useArrival(copy.title, config.productName);
  const today = useToday();
  const { name, range } = rangeIn(of, today);
  return (
    <Page>
      <div className={`${styles.column} ${text.stack}`}>
        <PageHead title={copy.title}>{copy.range(range.from, range.to)}</PageHead>
        <Period key={of} name={name} range={range} />
        <Account range={range} />
      </div>
    </Page>
  );
}

function Account({ range }: { range: Range }) {
  const query = useQuery(statementQuery(range));
  const { data, error } = query;
  if (data) {
    return (
      <>
        <Full statement={data} range={range} />
        {/* With the lines, whose height nobody knows before. */}
        <ButtonLink wide to={paths.purchases}>
          {copy.toPurchases}
        </ButtonLink>
      </>
    );
  }
  if (error) {
    return (
      <Failed
        title={copy.failed}
        text={sentenceFor(error)}
        busy={query.isFetching ? copy.retrying : undefined}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <Skeleton label={copy.loading}>
      <div className={`${text.card} ${text.stack}`}>
        <SkeletonBlock width="most" />
        <SkeletonBlock width="most" />
        <SkeletonBlock width="most" />
        <SkeletonBlock shape="sum" width="half" />
      </div>
      <SkeletonBlock shape="control" />
      <SkeletonBlock shape="control" />
    </Skeleton>
  );
}

function Full({ statement, range }: { statement: Statement; range: Range }) {
  const today = useToday();
  const { lines, dues, opening, isWhole } = statement;
  if (lines.length === 0 && dues.length === 0 && opening === 0) return <Empty text={copy.empty} />;
  return (
    <>
      <section className={`${text.card} ${text.stack}`} aria-label={copy.summary}>
        <LineItems rows={sumRows(statement)} total={{ label: copy.closing, amount: statement.closing }} />
        <Beside {...statement.sums} />
        <p className={`${text.muted} ${text.small}`}>{copy.meaning}</p>
      </section>
      <SaveStatement range={range} />
      {dues.length > 0 && <Dues dues={dues} due={statement.due} isOver={range.to < today} />}
      {!isWhole && (
        <Notice tone="pending" title={copy.notWhole.title}>
          {copy.notWhole.text}
        </Notice>
      )}
      <h2 className={styles.title}>{copy.movements}</h2>
      {lines.length === 0 ? <p>{copy.none}</p> : <Lines lines={lines} />}
    </>
  );
}

/** What led from one balance to the other. */
function sumRows({ opening, sums }: Statement): LineItem[] {
  const { reserved, reversed, applied, dropped } = sums;
  return [
    { label: copy.opening, amount: opening },
    { label: copy.reserved, text: copy.plus(reserved) },
    ...(reversed > 0 ? [{ label: copy.reversed, text: copy.plus(reversed) }] : []),
    { label: copy.applied, text: copy.minus(applied) },
    ...(dropped > 0 ? [{ label: copy.dropped, text: copy.minus(dropped) }] : []),
  ];
}

/** Money that moved and is in no balance. */
function Beside({ fees, penalties, refunded, refundedToHelpers }: Statement['sums']) {
  const rows = [
    { label: copy.fees, amount: fees },
    { label: copy.penalties, amount: penalties },
    { label: copy.refunded, amount: refunded },
    { label: copy.refundedToHelpers, amount: refundedToHelpers },
  ].filter(({ amount }) => amount > 0);
  return rows.length > 0 && <LineItems rows={rows} />;
}
