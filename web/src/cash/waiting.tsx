import { formatDate, mexicoCityDate } from '@aparta/domain/calendar';
import { Button } from '@aparta/ui/button.tsx';
import { LineItems, type LineItem } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import type { ReferencePicture } from '@aparta/ui/reference-picture.ts';
import { SaveAndShare } from '@aparta/ui/save-and-share.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import { StoreGuide } from '@aparta/ui/store-guide.tsx';
import text from '@aparta/ui/text.module.css';
import { StoreTicket } from '@aparta/ui/store-ticket.tsx';
import { TwoColumn } from '@aparta/ui/two-column.tsx';
import { useToday } from '@aparta/ui/use-today.ts';
import { inGroups } from '@aparta/domain/in-groups';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { config } from '../app/config.ts';
import { Help } from '../app/help.tsx';
import { paths } from '../app/paths.ts';
import type { StoreReference } from '../data/cash-references.ts';
import type { InstalmentToPay } from '../data/instalments.ts';
import { cashCopy as copy } from './copy.ts';
import { Frame } from './frame.tsx';

/** A reference to pay at a store: everything that buyer and cashier need. */
export function Waiting({
  reference,
  instalment,
  oldSince,
  check,
  isChecking,
  merchantId,
  children,
}: {
  reference: StoreReference;
  merchantId?: number;
  /** What a store took before, above the number. */
  children?: ReactNode;
  /** The server's last answer; absent until there is one. */
  instalment: InstalmentToPay | undefined;
  /** When it was seen, if the server cannot be reached now: it may have been paid since. */
  oldSince: Date | undefined;
  /** Manual refresh, once polling has stopped. */
  check: (() => void) | undefined;
  isChecking: boolean;
}) {
  const { of, product, number, count, total, expiresAt } = reference;
  const isDeposit = 'layawayId' in of;
  // They end with a day. Only where the server says nothing does the phone's clock count.
  const isExpired = mexicoCityDate(expiresAt) < useToday();
  return (
    <Frame
      to={isDeposit ? paths.layawayReference(of.layawayId) : paths.purchase(of.purchaseId)}
      what={isDeposit ? copy.deposit.of(product) : copy.of(product, number, count)}
    >
      <TwoColumn
        side={
          <>
            <div className={text.loose}>
              <StoreGuide
                how={copy.how}
                steps={copy.steps(total)}
                where={copy.where}
                stores={reference.stores.map(({ name, limit, takesIt }) => ({
                  name,
                  takesIt,
                  says: copy.takes(limit, takesIt),
                }))}
                when={copy.when}
              />
              {check && (
                <Button busy={isChecking ? copy.checking : undefined} icon="retry" onClick={check}>
                  {copy.check}
                </Button>
              )}
              <Help merchantId={merchantId ?? instalment?.merchantId} />
            </div>
            <StickyFooter>
              <SaveAndShare
                main
                picture={pictureOf(reference)}
                words={copy.shareText(product, inGroups(reference.value), total, expiresAt)}
              />
            </StickyFooter>
          </>
        }
      >
        <div className={text.loose}>
          {oldSince && isExpired && isDeposit ? (
            <Notice tone="pending" title={copy.deposit.over.title}>
              {copy.deposit.over.text}
            </Notice>
          ) : (
            oldSince && (
              <Notice tone="pending" title={copy.old.title}>
                {isExpired ? copy.old.expired : copy.old.text(oldSince)}
              </Notice>
            )
          )}
          {instalment && !instalment.isNext && (
            <Notice tone="pending" title={copy.behind.title}>
              {copy.behind.text}
            </Notice>
          )}
          {children}
          <StoreTicket words={copy} total={total} bars={reference.bars} reference={reference.value}>
            <LineItems rows={sums(reference, instalment)} />
            {instalment && !reference.isChosen && <Partial instalment={instalment} />}
            <Notice tone="pending" title={copy.goodUntil(expiresAt)}>
              {isDeposit ? copy.deposit.afterwards : copy.afterwards}
            </Notice>
          </StoreTicket>
        </div>
      </TwoColumn>
    </Frame>
  );
}

/** What was already received of it. */
function Partial({ instalment: { paid, balance, payments } }: { instalment: InstalmentToPay }) {
  const newest = payments.at(-1);
  if (paid === 0 || !newest) return null;
  return (
    <Notice tone="info" title={copy.partial.title(paid, balance)}>
      {copy.partial.text} <Link to={paths.receipt(newest.folio)}>{copy.partial.receipt}</Link>
    </Notice>
  );
}

function sums(reference: StoreReference, instalment: InstalmentToPay | undefined): LineItem[] {
  const { balance, fee, dueOn } = reference;
  const ofFee = fee > 0 ? [{ label: copy.fee, amount: fee }] : [];
  if ('layawayId' in reference.of) return [{ label: copy.deposit.amount, amount: balance }, ...ofFee];
  return [
    // A sum that the buyer chose is neither what is left of this instalment nor paid to it alone.
    ...(!reference.isChosen && instalment && instalment.paid > 0
      ? [
          { label: copy.amount, amount: instalment.amount },
          { label: copy.paidSoFar, amount: instalment.paid },
        ]
      : []),
    { label: reference.isChosen ? copy.chosen : copy.balance, amount: balance },
    ...ofFee,
    { label: copy.due, text: formatDate(dueOn) },
  ];
}

function pictureOf(reference: StoreReference): ReferencePicture {
  const { product, merchant, total, bars, expiresAt, stores } = reference;
  const words = copy.picture;
  const takers = stores.filter(({ takesIt }) => takesIt).map(({ name }) => name);
  return {
    appName: config.productName,
    heading: words.heading,
    productName: product,
    merchantName: merchant,
    sums: [{ label: copy.total, amount: total }],
    reference: bars,
    ground: 'white',
    goodUntil: words.goodUntil(expiresAt),
    instruction: words.instruction(takers, total),
  };
}
