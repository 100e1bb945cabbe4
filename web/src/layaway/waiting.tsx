import { inGroups } from '@aparta/domain/in-groups';
import type { Centavos } from '@aparta/domain/money';
import { Ahead } from '@aparta/ui/ahead.tsx';
import { useAlert } from '@aparta/ui/alert.tsx';
import { Amount } from '@aparta/ui/amount.tsx';
import { Barcode } from '@aparta/ui/barcode.tsx';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Code } from '@aparta/ui/code.tsx';
import { LineItems, type LineItem } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { PageHead } from '@aparta/ui/page.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import type { ReferencePicture } from '@aparta/ui/reference-picture.ts';
import { SaveAndShare } from '@aparta/ui/save-and-share.tsx';
import { Steps } from '@aparta/ui/steps.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { TwoColumn } from '@aparta/ui/two-column.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { config } from '../app/config.ts';
import { Help } from '../app/help.tsx';
import { paths } from '../app/paths.ts';
import { alerts, offlineAlert } from '../copy/alerts.ts';
import { OwedBack } from '../copy/owed-back.tsx';
import { keepToPay, type LayawayReference } from '../data/layaway.ts';
import { attempt as attempts } from '../session/attempt.ts';
import { useUser } from '../session/session.ts';
import { changesBetween } from './changes-between.ts';
import { layawayCopy } from './copy.ts';
import { paymentCopy } from './payment-copy.ts';
import type { Figures } from './wizard-address.ts';
import wizard from './wizard.module.css';

const copy = paymentCopy.payment;

/** Step 3 while the reference is unpaid: pay at the till with its bar code, at a store, or by card. */
export function Waiting({
  reference,
  logo,
  shown,
  manualCheck,
  onStartOver,
  onCardNear,
}: {
  reference: LayawayReference;
  logo: string | undefined;
  shown: Figures | undefined;
  /** Manual refresh, once polling has stopped. */
  manualCheck: { busy: boolean; check: () => void } | undefined;
  onStartOver: () => void;
  onCardNear: (() => void) | undefined;
}) {
  useArrival(copy.title, config.productName);
  const showAlert = useAlert();
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const buyerId = useUser()?.id ?? 0;
  const { acceptsCards, paymentReference } = reference;
  useEffect(() => {
    if (acceptsCards) onCardNear?.();
  }, [acceptsCards, onCardNear]);
  const others: LineItem[] = [
    { label: copy.store, text: <Total of={reference.cashTotal} fee={reference.cashFee} /> },
    ...(acceptsCards
      ? [{ label: copy.card, text: <Total of={reference.cardTotal} fee={reference.cardFee} /> }]
      : []),
  ];

  async function pay() {
    if (!acceptsCards) {
      // Spec §5 and §8. The reference stays, so the till is still open (rules/layaways#wizard).
      attempts.clear();
      await showAlert(alerts.noCards);
      return navigate(paths.home);
    }
    const alert = offlineAlert();
    if (alert) return showAlert(alert);
    keepToPay(queries, buyerId, reference.id);
    // A separate document: only there may the card provider be loaded.
    location.assign(paths.payLayaway(reference.id));
  }

  return (
    <>
      <Steps names={layawayCopy.steps} current={3} />
      <PageHead title={copy.title}>{acceptsCards ? copy.intro : copy.introTill}</PageHead>
      <TwoColumn
        side={
          <>
            <div className={text.stack}>
              <ButtonLink icon="store" wide to={paths.payInStore('apartado', reference.id)}>
                {copy.payInStore}
              </ButtonLink>
              <SaveAndShare picture={pictureOf(reference)} words={wordsOf(reference)} />
              {manualCheck ? (
                <Button
                  busy={manualCheck.busy ? copy.checking : undefined}
                  icon="retry"
                  onClick={manualCheck.check}
                >
                  {copy.check}
                </Button>
              ) : (
                <p className={`${text.muted} ${text.small} ${wizard.centre}`}>{copy.polling}</p>
              )}
              <div className={text.pair}>
                <Button variant="quiet" onClick={onStartOver}>
                  {layawayCopy.previous}
                </Button>
                <Help merchantId={reference.merchantId} />
              </div>
            </div>
            <StickyFooter
              beside
              {...(acceptsCards && { total: { label: copy.card, amount: reference.cardTotal } })}
            >
              {acceptsCards && <Ahead to={paths.payLayaway(reference.id)} />}
              <Button
                variant={acceptsCards ? 'primary' : 'secondary'}
                icon="card"
                wide
                onClick={() => void pay()}
              >
                {copy.pay}
              </Button>
            </StickyFooter>
          </>
        }
      >
        <div className={text.stack}>
          <OwedBack reference={reference} />
          <Changes reference={reference} shown={shown} />
          <Ticket
            label={copy.ticket}
            thing={
              <>
                <Barcode reference={paymentReference} />
                <Code label={copy.reference} reference={paymentReference} />
                <p className={`${text.muted} ${text.small}`}>{copy.goodUntil(reference.expiresAt)}</p>
              </>
            }
            act={
              <>
                <ProductHeader
                  title={reference.productName}
                  sub={reference.merchantName}
                  merchant={reference.merchantName}
                  logo={logo}
                />
                <LineItems
                  rows={[{ label: copy.till, amount: reference.tillTotal, strong: true }, ...others]}
                />
              </>
            }
          />
        </div>
      </TwoColumn>
    </>
  );
}

/** The picture of 'Guardar referencia' (spec §2). */
function pictureOf(reference: LayawayReference): ReferencePicture {
  const { merchantName, productName, paymentReference, expiresAt } = reference;
  const { tillTotal, acceptsCards, cardTotal, cardFee } = reference;
  const words = paymentCopy.picture;
  return {
    appName: config.productName,
    heading: words.heading,
    productName,
    merchantName,
    sums: [
      { label: words.till, amount: tillTotal },
      ...(acceptsCards
        ? [{ label: words.card, amount: cardTotal, ...(cardFee > 0 && { note: words.includes(cardFee) }) }]
        : []),
    ],
    reference: paymentReference,
    ground: 'orange',
    goodUntil: copy.goodUntil(expiresAt),
    instruction: words.instruction(merchantName, tillTotal),
    ...(acceptsCards && { foot: words.orCard(config.productName) }),
  };
}

function wordsOf({ productName, paymentReference, tillTotal, expiresAt }: LayawayReference): string {
  return copy.shareText(productName, inGroups(paymentReference), tillTotal, expiresAt);
}

/** '$615.00 (incluye $15.00)'. */
function Total({ of, fee }: { of: Centavos; fee: Centavos }) {
  return (
    <>
      <Amount of={of} size="strong" />
      {fee > 0 && (
        <>
          {' '}
          ({copy.includes} <Amount of={fee} />)
        </>
      )}
    </>
  );
}

/** What changed since step 2, and how the last card payment ended. */
function Changes({ reference, shown }: { reference: LayawayReference; shown: Figures | undefined }) {
  const changes = shown ? changesBetween(shown, reference) : [];
  const { attempt } = reference;
  const ended = attempt && attempt.state in copy.attempts ? copy.attempts[attempt.state as Ended] : undefined;
  return (
    <>
      {changes.length > 0 && (
        <Notice tone="pending" title={copy.changed} urgent>
          {changes.map(copy.change).join(' ')}
        </Notice>
      )}
      {ended && (
        <Notice tone={attempt?.state === 'returned' ? 'pending' : 'danger'} title={ended.title}>
          {attempt?.refund === undefined ? ended.text : copy.returnedSum(attempt.refund.amount)}
        </Notice>
      )}
    </>
  );
}

type Ended = keyof typeof copy.attempts;
