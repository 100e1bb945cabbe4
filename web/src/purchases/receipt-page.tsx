import { formatDate, isBookedLater, mexicoCityDate } from '@aparta/domain/calendar';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { download } from '@aparta/ui/download.ts';
import { Failed } from '@aparta/ui/failed.tsx';
import { LineItems, type LineItem } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import { PaidSum } from '@aparta/ui/paid-sum.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { inGroups } from '@aparta/domain/in-groups';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useParams } from 'wouter';
import { isRefused } from '@aparta/browser/api-error.ts';
import { config } from '../app/config.ts';
import { Help } from '../app/help.tsx';
import { paths } from '../app/paths.ts';
import { attendedRows } from '../copy/attended.ts';
import { nextDueRow } from '../copy/next-due.tsx';
import { UndoneBadge, undoneCopy } from '../copy/undone.tsx';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { receiptPdf, receiptQuery, type Receipt } from '../data/receipts.ts';
import { useUndone, type Undone } from '../data/use-undone.ts';
import { purchasesCopy } from './copy.ts';
import { detailCopy } from './detail-copy.ts';
import { receiptCopy } from './receipt-copy.ts';
import styles from './receipt-page.module.css';

const copy = receiptCopy;
/** The contract's format of a folio. */
const FOLIO = /^[0-9A-Z]{10}$/;

/** A payment's receipt, the same as its PDF and email. */
export default function ReceiptPage() {
  const { folio = '' } = useParams();
  useArrival(copy.title, config.productName);
  const isFolio = FOLIO.test(folio);
  const query = useQuery({ ...receiptQuery(folio), enabled: isFolio });
  const { data: receipt, error } = query;
  if (!isFolio || isRefused(error, 'NOT_FOUND')) {
    return (
      <Frame title={copy.missing.title}>
        <p>{copy.missing.text}</p>
        <ButtonLink to={paths.purchases}>{detailCopy.detail.missing.toList}</ButtonLink>
      </Frame>
    );
  }
  return (
    <Frame title={copy.title}>
      {receipt ? (
        <Full receipt={receipt} />
      ) : error ? (
        <Failed
          title={copy.failed}
          text={sentenceFor(error)}
          busy={query.isFetching ? purchasesCopy.retrying : undefined}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Skeleton label={copy.loading}>
          <div className={text.card}>
            <div className={text.stack}>
              <SkeletonBlock width="third" />
              <SkeletonBlock shape="sum" width="half" />
              <SkeletonBlock width="most" />
              <SkeletonBlock />
              <SkeletonBlock />
              <SkeletonBlock />
            </div>
          </div>
        </Skeleton>
      )}
    </Frame>
  );
}

function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Page>
      <div className={styles.column}>
        <PageHead title={title} />
        <div className={text.stack}>{children}</div>
      </div>
    </Page>
  );
}

function Full({ receipt }: { receipt: Receipt }) {
  const { merchant, parts } = receipt;
  const undone = useUndone(receipt);
  const facts: LineItem[] = [
    { label: copy.date, text: copy.hour(receipt.paidAt) },
    ...(isBookedLater(receipt) ? [{ label: copy.booked, text: copy.hour(receipt.bookedAt) }] : []),
    { label: copy.folio, text: <span className={text.noBreak}>{inGroups(receipt.folio)}</span> },
    ...(receipt.payer === undefined ? [] : [{ label: copy.payer, text: receipt.payer }]),
    { label: copy.method, text: copy.methods[receipt.method](receipt.last4) },
    ...attendedRows(receipt),
    { label: copy.product, text: receipt.product },
    { label: copy.purchase, text: String(receipt.purchaseId) },
    { label: copy.buyer, text: receipt.buyer },
  ];
  const money: LineItem[] = parts.map((part) => ({
    label: copy.part(part.number, part.of),
    amount: part.amount,
  }));
  for (const other of receipt.others)
    money.push({ label: copy.other(other.productName), amount: other.amount });
  if (receipt.fee > 0) money.push({ label: copy.fee, amount: receipt.fee });
  if (receipt.refunded > 0) money.push({ label: copy.refunded, amount: receipt.refunded, strong: true });
  return (
    <>
      <Ticket
        kind="receipt"
        label={copy.title}
        thing={
          <PaidSum amount={receipt.amount} {...standingOf(receipt, undone)}>
            <address className={styles.merchant} aria-label={copy.merchant}>
              <b>{merchant.tradeName}</b>
              {merchant.businessName !== merchant.tradeName && <span>{merchant.businessName}</span>}
              {merchant.address && <span>{merchant.address}</span>}
              {merchant.phone && (
                <a className={styles.phone} href={`tel:${merchant.phone.replace(/[^+\d]/g, '')}`}>
                  {copy.phone(merchant.phone)}
                </a>
              )}
            </address>
          </PaidSum>
        }
        act={
          <>
            <LineItems rows={facts} />
            <LineItems rows={money} />
            {receipt.isCancelled ? <p>{undoneCopy.cancelled}</p> : <WhatIsLeft receipt={receipt} />}
            {!receipt.isInvoicedHere && !receipt.isCancelled && receipt.refunded < receipt.amount && (
              <p className={text.muted}>{detailCopy.detail.invoicedByShop}</p>
            )}
            {receipt.invoiceUntil && (
              <p className={text.muted}>
                {receipt.mayBeInvoiced
                  ? copy.invoiceUntil(receipt.invoiceUntil)
                  : copy.invoiceTooLate(receipt.invoiceUntil, merchant.tradeName)}
              </p>
            )}
          </>
        }
      />
      <Acts receipt={receipt} />
    </>
  );
}

function standingOf(
  receipt: Receipt,
  undone: Undone | undefined,
): { label: string; date: string } | { label: string; badge: ReactNode } {
  if (undone?.isWhole) return { label: undoneCopy.undone, badge: <UndoneBadge undone={undone} /> };
  return {
    label: receipt.payer === undefined ? copy.paid : copy.given,
    date: formatDate(mexicoCityDate(receipt.paidAt)),
  };
}

function WhatIsLeft({ receipt: { balance, nextDueOn } }: { receipt: Receipt }) {
  if (balance === 0) return <p>{undoneCopy.nothingLeft}</p>;
  return (
    <LineItems
      rows={[{ label: copy.left, amount: balance, strong: true }, ...nextDueRow(copy.next, nextDueOn)]}
    />
  );
}

function Acts({ receipt }: { receipt: Receipt }) {
  const [busy, setBusy] = useState<'pdf' | 'share'>();
  const [done, setDone] = useState<string>();
  const [problem, setProblem] = useState<string>();

  async function give(what: 'pdf' | 'share', failed: string, to: (pdf: File) => Promise<void> | void) {
    setBusy(what);
    setDone(undefined);
    setProblem(undefined);
    try {
      await to(await receiptPdf(receipt.folio));
    } catch (error) {
      // Closing the share sheet is not an error.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setProblem(failed);
    } finally {
      setBusy(undefined);
    }
  }

  const save = () =>
    give('pdf', copy.pdfFailed, (pdf) => {
      download(pdf);
      setDone(copy.pdfDone(pdf.name));
    });
  const share = () =>
    give('share', copy.shareFailed, (pdf) => {
      const words = copy.shareText(receipt.folio, receipt.amount, receipt.product);
      const whole = { files: [pdf], title: pdf.name, text: words };
      return navigator.share(navigator.canShare?.(whole) ? whole : { text: words });
    });

  return (
    <div className={styles.acts}>
      <div className={text.pair}>
        <Button icon="save" busy={busy === 'pdf' ? copy.pdfBusy : undefined} onClick={() => void save()}>
          {copy.pdf}
        </Button>
        {'share' in navigator && (
          <Button
            icon="share"
            busy={busy === 'share' ? copy.shareBusy : undefined}
            onClick={() => void share()}
          >
            {copy.share}
          </Button>
        )}
        <Button variant="quiet" onClick={() => window.print()}>
          {copy.print}
        </Button>
      </div>
      <p role="status" className={`${text.muted} ${text.small}`}>
        {done}
      </p>
      {problem && <Notice tone="danger" title={problem} urgent />}
      <ButtonLink variant="primary" wide to={paths.purchase(receipt.purchaseId)}>
        {copy.toPurchase}
      </ButtonLink>
      <Help merchantId={receipt.merchant.id} />
    </div>
  );
}
