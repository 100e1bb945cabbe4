import { buildLayawayReference, type LayawayReference } from '@aparta/domain/layaway-reference';
import { useAlert } from '@aparta/ui/alert.tsx';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { FactList } from '@aparta/ui/fact-list.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { LineItems, type LineItem } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import { ProductTile } from '@aparta/ui/product-tile.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import { Steps } from '@aparta/ui/steps.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { TwoColumn } from '@aparta/ui/two-column.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useToday } from '@aparta/ui/use-today.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { isRefused } from '@aparta/browser/api-error.ts';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { alertFor, sentenceFor } from '@aparta/browser/copy.ts';
import { keepMade, makeReference } from '../data/layaway.ts';
import { companyLogoQuery } from '../data/logos.ts';
import { merchantQuery, productQuery, type Merchant, type Product } from '../data/merchants.ts';
import { reference } from '../session/reference.ts';
import { useUser } from '../session/session.ts';
import { layawayCopy } from './copy.ts';
import { informationCopy } from './information-copy.ts';
import { figuresOf, offerOf, type Offer } from './offer.ts';
import type { Figures } from './wizard-address.ts';

const SoldOut = lazy(() => import('./sold-out.tsx'));

const copy = informationCopy.information;

/**
 * Spec §2, step 2: what it costs today. `onMade` gets the frozen reference's id and the figures that were shown.
 */
export default function InformationStep({
  scanned,
  onBack,
  onOther,
  onMade,
}: {
  scanned: LayawayReference;
  onBack: () => void;
  onOther: () => void;
  onMade: (id: number, shown: Figures) => void;
}) {
  useArrival(copy.title, config.productName);
  const showAlert = useAlert();
  const merchant = useQuery(merchantQuery(scanned.businessId));
  const product = useQuery(productQuery(scanned.productId));
  const make = useMutation(makeReference(useQueryClient()));
  const buyerId = useUser()?.id ?? 0;
  const today = useToday();
  const [asksAgain, setAsksAgain] = useState(false);
  const error = merchant.error ?? product.error;
  const loaded = merchant.data && product.data;
  const soldOut = product.data?.soldOut ? product.data : undefined;
  const offer = loaded && !soldOut && offerOf(merchant.data, product.data, today);

  function freeze(repeat: boolean) {
    if (!offer) return;
    // Once the buyer has left this step neither is called: a late answer leads nobody away, and shows nothing.
    make.mutate(
      { qrText: buildLayawayReference(scanned), repeat },
      {
        onSuccess(id) {
          keepMade(id);
          // Spec §3: the buyer's id in its place. So what is scanned again is told from it.
          reference.save(buildLayawayReference({ ...scanned, buyerId }), true);
          onMade(id, figuresOf(offer));
        },
        onError: refused,
      },
    );
  }

  function refused(problem: Error) {
    // The guard is already redirecting to /login, with the reference saved.
    if (isRefused(problem, 'SESSION_DEAD')) return;
    if (isRefused(problem, 'RECENTLY_RESERVED')) return setAsksAgain(true);
    setAsksAgain(false);
    if (isRefused(problem, 'SOLD_OUT')) void product.refetch();
    const hasOwnAlert = isRefused(
      problem,
      'NOT_A_LAYAWAY',
      'NOT_FOUND',
      'NOT_ON_SALE',
      'SOLD_OUT',
      'TOO_MANY',
    );
    void showAlert(hasOwnAlert ? alertFor(problem) : { ...copy.makingFailed, footer: sentenceFor(problem) });
  }

  const back = (
    <Button variant="quiet" icon="back" onClick={onBack}>
      {layawayCopy.previous}
    </Button>
  );
  // Where there is nothing to go on with, the way back follows what is said: left below what was awaited, it would jump up.
  const isOver = !soldOut && !offer && (error !== null || loaded !== undefined);

  return (
    <Flow>
      <Steps names={layawayCopy.steps} current={2} />
      <PageHead title={copy.title} />
      <TwoColumn
        side={
          isOver ? (
            <div />
          ) : (
            <>
              {offer ? (
                <Afterwards offer={offer} penalty={merchant.data.penalty} />
              ) : (
                !soldOut && <AfterwardsLoading />
              )}
              {back}
              <StickyFooter beside {...(offer && { total: { label: copy.dock, amount: offer.todayTotal } })}>
                {soldOut ? (
                  <Button variant="primary" wide onClick={onOther}>
                    {copy.other}
                  </Button>
                ) : (
                  <Button
                    variant="primary"
                    wide
                    disabled={!offer}
                    busy={make.isPending && !asksAgain ? copy.making : undefined}
                    onClick={() => freeze(false)}
                  >
                    {layawayCopy.next}
                  </Button>
                )}
              </StickyFooter>
            </>
          )
        }
      >
        {soldOut ? (
          <Suspense fallback={<Loading />}>
            <SoldOut product={soldOut} merchant={merchant.data} />
          </Suspense>
        ) : offer ? (
          <OfferShown {...{ offer, merchant: merchant.data, product: product.data, scanned }} />
        ) : isOver ? (
          <div className={text.stack}>
            <WhyNot
              error={loaded ? null : error}
              busy={merchant.isFetching || product.isFetching}
              onRetry={() => {
                if (merchant.isError) void merchant.refetch();
                if (product.isError) void product.refetch();
              }}
            />
            {back}
          </div>
        ) : (
          <Loading />
        )}
      </TwoColumn>
      {asksAgain && (
        <Sheet title={copy.again.title} onClose={() => setAsksAgain(false)}>
          <p>{copy.again.text}</p>
          <div className={text.tight}>
            <Button
              variant="primary"
              wide
              busy={make.isPending ? copy.making : undefined}
              onClick={() => freeze(true)}
            >
              {copy.again.yes}
            </Button>
            <ButtonLink wide to={paths.purchases}>
              {copy.again.no}
            </ButtonLink>
          </div>
        </Sheet>
      )}
    </Flow>
  );
}

/** Why there is nothing to reserve: it is not offered, unless it could not be read. */
function WhyNot({ error, busy, onRetry }: { error: Error | null; busy: boolean; onRetry: () => void }) {
  if (error && !isRefused(error, 'NOT_FOUND', 'NOT_ON_SALE'))
    return (
      <Failed
        title={copy.failed}
        text={sentenceFor(error)}
        busy={busy ? copy.retrying : undefined}
        onRetry={onRetry}
      />
    );
  return (
    <Notice tone="pending" title={copy.notOffered.title}>
      {copy.notOffered.text}
    </Notice>
  );
}

function OfferShown({
  offer,
  merchant,
  product,
  scanned,
}: {
  offer: Offer;
  merchant: Merchant;
  product: Product;
  scanned: LayawayReference;
}) {
  const { data: logo } = useQuery(companyLogoQuery(merchant.companyId));
  const printed = scanned.printedDepositCentavos;
  const fee: LineItem[] = offer.todayFee === 0 ? [] : [{ label: copy.fee, amount: offer.todayFee }];
  return (
    <div className={text.stack}>
      {printed !== undefined && printed !== offer.depositCentavos && (
        <Notice tone="pending" title={copy.changed(printed, offer.depositCentavos)}>
          {copy.changedWhy}
        </Notice>
      )}
      <Ticket
        label={copy.ticket}
        thing={
          <>
            <ProductHeader
              title={merchant.name}
              sub={copy.merchant}
              subFirst
              merchant={merchant.name}
              logo={logo ?? undefined}
            />
            <div className={text.besideTile}>
              <ProductTile name={product.name} pictures={product.pictures} />
              <LineItems
                rows={[
                  { label: copy.product, text: product.name },
                  { label: copy.price, amount: offer.price },
                ]}
              />
            </div>
          </>
        }
        act={
          <>
            <h2>{copy.today}</h2>
            <LineItems
              rows={[{ label: copy.deposit(offer.depositPercent), amount: offer.depositCentavos }, ...fee]}
              total={{ label: copy.total, amount: offer.todayTotal }}
            />
            {offer.tillTotal < offer.todayTotal && (
              <p className={`${text.muted} ${text.small}`}>{copy.tillInstead(offer.tillTotal)}</p>
            )}
          </>
        }
      />
    </div>
  );
}

/** The later payments, when the thing is handed over, when it ends by itself, and what cancelling costs. */
function Afterwards({ offer, penalty }: { offer: Offer; penalty: Merchant['penalty'] }) {
  const { laterInstalments: count, eachCentavos, lastCentavos } = offer;
  const dates = copy.dates(count, offer.frequencyDays, offer.firstDueOn, offer.lastDueOn);
  return (
    <div className={text.card}>
      <FactList
        facts={[
          {
            icon: 'calendar',
            title: copy.later(count, eachCentavos, lastCentavos),
            text:
              count > 1 && lastCentavos !== eachCentavos ? `${dates} ${copy.lastIs(lastCentavos)}` : dates,
          },
          { icon: 'store', title: copy.delivery, text: copy.deliveryText(offer.deliveryDays) },
          ...(offer.endDaysLate === null
            ? []
            : [{ icon: 'calendar', title: copy.late, text: copy.lateText(offer.endDaysLate) } as const]),
          { icon: 'retry', title: copy.cancel, text: copy.cancelText(penalty, offer.todayFee) },
        ]}
      />
    </div>
  );
}

/** As high as what comes, so that the buttons below stay where they are. */
function AfterwardsLoading() {
  return (
    <div aria-hidden="true" className={`${text.card} ${text.loose}`}>
      {Array.from({ length: 4 }, (_, fact) => (
        <div key={fact} className={text.tight}>
          <SkeletonBlock width="half" />
          <SkeletonBlock />
        </div>
      ))}
    </div>
  );
}

function Loading() {
  const blocks = (
    <Skeleton label={copy.loading}>
      <SkeletonBlock shape="tile" />
      <SkeletonBlock width="most" />
      <SkeletonBlock width="half" />
    </Skeleton>
  );
  return (
    <Ticket
      label={copy.ticket}
      thing={blocks}
      act={
        <div aria-hidden="true" className={text.stack}>
          <SkeletonBlock width="third" />
          <SkeletonBlock />
          <SkeletonBlock shape="sum" width="half" />
        </div>
      }
    />
  );
}
