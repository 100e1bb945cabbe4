import { isRefused } from '@aparta/browser/api-error.ts';
import { formatDate, mexicoCityDate } from '@aparta/domain/calendar';
import { inGroups } from '@aparta/domain/in-groups';
import { may } from '@aparta/domain/staff-rights';
import { Amount } from '@aparta/ui/amount.tsx';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { LineItems, type LineItem } from '@aparta/ui/line-items.tsx';
import { News } from '@aparta/ui/news.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import { PaidSum } from '@aparta/ui/paid-sum.tsx';
import { SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useToday } from '@aparta/ui/use-today.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { NotYet } from '../lists/not-yet.tsx';
import { config } from '../app/config.ts';
import { paths, purchasesAddress } from '../app/paths.ts';
import { receiptQuery, type Receipt } from '../data/payments.ts';
import { useSession } from '../session/session.ts';
import { tillCopy } from './copy.ts';
import { ReverseSheet } from './reverse-sheet.tsx';
import { useGiveBack } from './use-give-back.ts';
import { useJustTaken } from './use-take.ts';
import styles from './till.module.css';

const copy = tillCopy.receipt;

/** The receipt of a payment that was taken at a counter: just after it, first of all what change to give. On paper it is the buyer's. */
export default function ReceiptPage({ folio }: { folio: string }) {
  useArrival(copy.title, config.productName);
  const query = useQuery(receiptQuery(folio));
  const { data: receipt, error } = query;
  return (
    <Page>
      <div className={styles.column}>
        <PageHead title={copy.title} />
        {receipt ? (
          <Full key={folio} receipt={receipt} />
        ) : isRefused(error, 'NOT_FOUND', 'INVALID_INPUT') ? (
          <Notice tone="danger" title={copy.missing} urgent />
        ) : (
          <NotYet of={query} failed={copy.failed} loading={copy.loading}>
            <div className={`${text.card} ${text.stack}`}>
              <SkeletonBlock shape="sum" width="half" />
              <SkeletonBlock width="most" />
              <SkeletonBlock />
              <SkeletonBlock />
            </div>
          </NotYet>
        )}
      </div>
    </Page>
  );
}

function Full({ receipt }: { receipt: Receipt }) {
  const { reversal, change, cancelled } = receipt;
  const isReversed = reversal !== undefined;
  const [wasReversed] = useState(isReversed);
  const [isBefore, setBefore] = useState(false);
  const { tells, seen } = useGiveBack(receipt);
  const isNews = useJustTaken(receipt.folio) && !reversal && !cancelled;
  const toGiveBack = isNews && change ? change : undefined;
  useEffect(() => {
    // The button that asked for it has gone; what became of it stands under the heading.
    if (isReversed && !wasReversed && document.activeElement === document.body) focusHeading();
  }, [isReversed, wasReversed]);
  return (
    <div className={text.stack}>
      {tells && (
        <div className={`${text.stack} ${text.notPrinted}`}>
          <Notice tone="pending" title={giveBackOf(receipt)} urgent>
            {receipt.method === 'cash' && `${copy.from}: ${copy.drawer(receipt.branch)}`}
          </Notice>
          <Button
            wide
            onClick={() => {
              seen();
              focusHeading();
            }}
          >
            {copy.given}
          </Button>
        </div>
      )}
      {!tells && isBefore && (
        <div className={text.notPrinted}>
          <Notice tone="danger" title={copy.reversedBefore} urgent />
        </div>
      )}
      {reversal && (
        <Notice tone="danger" title={copy.reversed}>
          {copy.reversedBy(reversal.by, reversal.at, reversal.reason)}
        </Notice>
      )}
      {!reversal && cancelled && <Cancelled receipt={receipt} />}
      {toGiveBack !== undefined && (
        <News className={text.notPrinted}>
          <p className={`${styles.total} ${styles.change}`}>
            {copy.giveChange} <Amount of={toGiveBack} size="big" />
          </p>
        </News>
      )}
      <Ticket
        kind="receipt"
        label={copy.title}
        thing={
          reversal ? (
            <>
              <p className={text.muted}>{copy.reversed}</p>
              <Amount of={receipt.amount} size="hero" />
              <p>{receipt.productName}</p>
            </>
          ) : (
            <PaidSum
              label={copy.paid}
              amount={receipt.amount}
              isNews={isNews && toGiveBack === undefined}
              date={copy.day(receipt.takenAt)}
            >
              <p>{receipt.productName}</p>
            </PaidSum>
          )
        }
        act={
          <>
            <LineItems rows={factsOf(receipt)} />
            <LineItems rows={moneyOf(receipt)} />
            {receipt.balance === 0 && !reversal && !cancelled && <p>{copy.paidOff}</p>}
          </>
        }
      />
      <Acts receipt={receipt} onTakenBefore={() => setBefore(true)} />
    </div>
  );
}

const focusHeading = () => document.querySelector<HTMLElement>('h1[tabindex="-1"]')?.focus();

/** What has to be done now that a payment is taken back: only whoever did it is told. */
function giveBackOf({ method, amount, last4 }: Receipt): string {
  return method === 'cash' ? copy.giveCash(amount) : copy.giveByTerminal(amount, last4 ?? '');
}

/** What went back of a payment whose purchase was cancelled, or has to. */
function Cancelled({ receipt: { refund, purchaseId } }: { receipt: Receipt }) {
  const role = useSession()?.position.role;
  return (
    <>
      <Notice tone="danger" title={copy.cancelled}>
        {refund === undefined
          ? copy.keptAll
          : refund.doneAt
            ? copy.givenBack(refund.amount, refund.doneAt)
            : copy.owedBack(refund.amount)}
      </Notice>
      {purchaseId !== null && role && may(role, 'see_purchase') && (
        <div className={`${text.stack} ${text.notPrinted}`}>
          <ButtonLink wide to={purchasesAddress({ show: 'cancelled' }, purchaseId)}>
            {copy.purchase}
          </ButtonLink>
        </div>
      )}
    </>
  );
}

function factsOf(receipt: Receipt): LineItem[] {
  const { method, last4, authorisation, merchant } = receipt;
  return [
    ...(merchant ? [{ label: copy.shop, text: merchant.tradeName }] : []),
    ...(merchant?.address ? [{ label: copy.address, text: merchant.address }] : []),
    ...(merchant?.phone ? [{ label: copy.phone, text: merchant.phone }] : []),
    { label: copy.when, text: copy.hour(receipt.takenAt) },
    { label: copy.folio, text: <span className={text.noBreak}>{inGroups(receipt.folio)}</span> },
    { label: copy.by, text: receipt.takenBy },
    { label: copy.where, text: receipt.branch },
    { label: copy.buyer, text: receipt.buyer },
    {
      label: copy.method,
      text: method === 'cash' ? copy.cash : copy.terminal(last4 ?? '', authorisation ?? ''),
    },
  ];
}

function moneyOf(receipt: Receipt): LineItem[] {
  const { parts, fee, tendered, change, balance, nextDueOn, planReference } = receipt;
  return [
    ...parts.map(({ number, of, amount }) => ({ label: tillCopy.charge.part(number, of), amount })),
    ...(fee > 0 ? [{ label: tillCopy.charge.fee, amount: fee }] : []),
    ...(tendered !== undefined && change !== undefined && change > 0
      ? [
          { label: copy.tendered, amount: tendered },
          { label: copy.change, amount: change },
        ]
      : []),
    // A rest without a next payment is of a purchase that ended: nobody owes it.
    ...(nextDueOn
      ? [
          { label: copy.left, amount: balance, strong: true },
          { label: copy.next, text: formatDate(nextDueOn) },
          ...(planReference === null
            ? []
            : [
                {
                  label: copy.number,
                  text: <span className={text.noBreak}>{inGroups(planReference)}</span>,
                },
              ]),
        ]
      : []),
  ];
}

function Acts({ receipt, onTakenBefore }: { receipt: Receipt; onTakenBefore: () => void }) {
  const role = useSession()?.position.role;
  const [asking, setAsking] = useState(false);
  const isAlive = !receipt.reversal && !receipt.cancelled;
  const mayReverse = role && may(role, 'reverse_payment') && isAlive;
  const isSameDay = mexicoCityDate(receipt.takenAt) === useToday();
  return (
    <div className={`${text.stack} ${text.notPrinted}`}>
      {receipt.balance === 0 && isAlive && (
        <ButtonLink wide to={paths.handOver(receipt.folio)}>
          {copy.handOver}
        </ButtonLink>
      )}
      <ButtonLink variant="primary" icon="qr" wide to={paths.find}>
        {copy.again}
      </ButtonLink>
      <div className={text.pair}>
        <Button variant="quiet" onClick={() => window.print()}>
          {copy.print}
        </Button>
        {mayReverse && isSameDay && (
          <Button variant="quiet" onClick={() => setAsking(true)}>
            {copy.reverse}
          </Button>
        )}
      </div>
      {mayReverse && !isSameDay && <p className={text.muted}>{copy.tooLate}</p>}
      {asking && <ReverseSheet {...{ receipt, onTakenBefore }} onClose={() => setAsking(false)} />}
    </div>
  );
}
