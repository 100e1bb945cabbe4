import { isRefused } from '@aparta/browser/api-error.ts';
import { differenceIn } from '@aparta/domain/cut';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import { SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery } from '@tanstack/react-query';
import { SaveFile } from '../lists/save-file.tsx';
import { NotYet } from '../lists/not-yet.tsx';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { cutPdf, cutQuery, type Cut } from '../data/cuts.ts';
import { cutsCopy } from './copy.ts';
import { Movements, Sums } from './movements.tsx';
import styles from './cuts.module.css';

const copy = cutsCopy.closed;

/** A closed cut, to read, print and keep. */
export default function ClosedCutPage({ id }: { id: string }) {
  const query = useQuery(cutQuery(id));
  const { data: cut, error } = query;
  const title = cut ? cutsCopy.number(cut.number) : cutsCopy.title;
  useArrival(title, config.productName);
  return (
    <Page>
      <div className={`${styles.column} ${text.stack}`}>
        <PageHead title={title} />
        {cut ? (
          <Closed cut={cut} />
        ) : isRefused(error, 'NOT_FOUND', 'INVALID_INPUT') ? (
          <Notice tone="danger" title={copy.missing} urgent />
        ) : (
          <NotYet of={query} failed={copy.failed} loading={copy.loading}>
            <div className={`${text.card} ${text.stack}`}>
              <SkeletonBlock width="half" />
              <SkeletonBlock width="most" />
              <SkeletonBlock />
            </div>
          </NotYet>
        )}
      </div>
    </Page>
  );
}

function Closed({ cut }: { cut: Cut }) {
  const difference = differenceIn(cut.drawer, cut.counted);
  return (
    <>
      <section className={`${text.card} ${text.stack}`} aria-label={cutsCopy.number(cut.number)}>
        <LineItems
          rows={[
            { label: cutsCopy.branch, text: cut.branch },
            { label: copy.whose, text: cut.name },
            { label: copy.by, text: cut.closedBy },
            { label: copy.from, text: cutsCopy.hour(cut.from) },
            { label: copy.until, text: cutsCopy.hour(cut.until) },
          ]}
        />
        <Sums of={cut} />
        <LineItems
          rows={[
            { label: cutsCopy.counted, amount: cut.counted, strong: true },
            { label: cutsCopy.difference, text: cutsCopy.says(difference), strong: true },
            ...(cut.reason === undefined ? [] : [{ label: copy.reason, text: cut.reason }]),
            ...(cut.floatReason === undefined
              ? []
              : [{ label: cutsCopy.floatReason, text: cut.floatReason }]),
          ]}
        />
        <Movements list={cut.list} count={cut.movements} />
      </section>
      <Acts id={cut.id} />
    </>
  );
}

function Acts({ id }: { id: string }) {
  return (
    <div className={`${text.stack} ${text.notPrinted}`}>
      <SaveFile file={() => cutPdf(id)} text={copy.pdf} busy={copy.pdfBusy}>
        <Button variant="quiet" onClick={() => window.print()}>
          {copy.print}
        </Button>
      </SaveFile>
      <ButtonLink wide to={paths.cuts}>
        {copy.back}
      </ButtonLink>
    </div>
  );
}
