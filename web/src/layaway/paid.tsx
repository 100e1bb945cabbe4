import { formatDate, mexicoCityDate } from '@aparta/domain/calendar';
import { inGroups } from '@aparta/domain/in-groups';
import { parseLayawayReference } from '@aparta/domain/layaway-reference';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { FactList } from '@aparta/ui/fact-list.tsx';
import { LineItems, type LineItem } from '@aparta/ui/line-items.tsx';
import { PageHead } from '@aparta/ui/page.tsx';
import { PaidSum } from '@aparta/ui/paid-sum.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import { Skeleton, SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { config } from '../app/config.ts';
import { Help } from '../app/help.tsx';
import { paths } from '../app/paths.ts';
import { attendedRows } from '../copy/attended.ts';
import { UndoneBadge, undoneHead } from '../copy/undone.tsx';
import type { LayawayReference } from '../data/layaway.ts';
import { isAwaited } from '../data/is-awaited.ts';
import { receiptQuery } from '../data/receipts.ts';
import { useChanges } from '../data/use-changes.ts';
import { useUndone } from '../data/use-undone.ts';
import { reference as savedReference } from '../session/reference.ts';
import { informationCopy } from './information-copy.ts';
import { paymentCopy } from './payment-copy.ts';
import { wizardAddress } from './wizard-address.ts';
import wizard from './wizard.module.css';

const copy = paymentCopy.paid;
const afterwards = informationCopy.information.later;

/**
 * The reference is paid and the purchase exists: shows the receipt, or that the money went back, and clears the saved
 * reference (rules/layaways#kept-reference).
 */
export function Paid({ reference, logo }: { reference: LayawayReference; logo: string | undefined }) {
  const { merchantId, productId, purchaseId, later, each, last, folio } = reference;
  // The same for a card, a till and a store: the receipt knows when and how much.
  const query = useQuery({ ...receiptQuery(folio ?? ''), enabled: folio !== undefined });
  const { data: receipt } = query;
  // A till, a store or the buyer may take it back while they look.
  useChanges(true);
  const undone = useUndone(receipt);
  const head = undone ? undoneHead(undone) : { title: copy.title, text: copy.intro(reference.productName) };
  useArrival(head.title, config.productName);
  const paidAt = receipt?.paidAt ?? reference.attempt?.paidAt;
  const rows: LineItem[] = [
    ...(receipt ? [{ label: copy.date, text: copy.moment(receipt.paidAt) }] : []),
    ...attendedRows(receipt),
    ...(folio === undefined ? [] : [{ label: copy.folio, text: inGroups(folio) }]),
    { label: copy.deposit, amount: reference.deposit },
    ...(receipt && receipt.fee > 0 ? [{ label: copy.fee, amount: receipt.fee }] : []),
    ...(receipt && receipt.refunded > 0
      ? [{ label: copy.refunded, amount: receipt.refunded, strong: true }]
      : []),
    { label: copy.reference, text: inGroups(reference.paymentReference) },
  ];
  useEffect(() => {
    const waiting = parseLayawayReference(savedReference.current() ?? '');
    // Another product, scanned in the meantime, is still to be reserved.
    if (waiting.ok && waiting.value.businessId === merchantId && waiting.value.productId === productId)
      savedReference.clear();
  }, [merchantId, productId]);
  if (folio !== undefined && isAwaited(query)) {
    return (
      <>
        <PageHead title={copy.title} />
        <Skeleton label={copy.ticket}>
          <SkeletonBlock shape="sum" width="half" />
          <SkeletonBlock shape="tile" />
          <SkeletonBlock width="most" />
          <SkeletonBlock width="most" />
        </Skeleton>
      </>
    );
  }
  return (
    <>
      <PageHead title={head.title}>{head.text}</PageHead>
      <div className={`${text.stack} ${wizard.body}`}>
        <Ticket
          kind="receipt"
          label={copy.ticket}
          thing={
            <PaidSum
              label={copy.sum}
              amount={receipt?.amount ?? reference.deposit}
              isNews={!undone}
              date={paidAt && formatDate(mexicoCityDate(paidAt))}
              badge={undone && <UndoneBadge undone={undone} />}
            >
              <ProductHeader
                title={reference.productName}
                sub={reference.merchantName}
                merchant={reference.merchantName}
                logo={logo}
              />
            </PaidSum>
          }
          act={
            <>
              <LineItems rows={rows} />
              {!undone && (
                <FactList
                  facts={[
                    { icon: 'calendar', title: afterwards(later, each, last), text: copy.datesInPurchase },
                  ]}
                />
              )}
            </>
          }
        />
        {folio !== undefined && (
          <ButtonLink icon="payments" wide to={paths.receipt(folio)}>
            {copy.receipt}
          </ButtonLink>
        )}
        <div className={text.pair}>
          <ButtonLink variant="quiet" to={wizardAddress.reference}>
            {copy.another}
          </ButtonLink>
          <Help merchantId={merchantId} />
        </div>
      </div>
      <StickyFooter>
        <ButtonLink
          variant="primary"
          wide
          to={purchaseId === undefined ? paths.purchases : paths.purchase(purchaseId)}
        >
          {purchaseId === undefined ? copy.seeAll : copy.see}
        </ButtonLink>
      </StickyFooter>
    </>
  );
}
