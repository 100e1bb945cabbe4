import {
  parseLayawayReference,
  type LayawayReference as ScannedReference,
} from '@aparta/domain/layaway-reference';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import { Skeleton, SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useToday } from '@aparta/ui/use-today.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { paths } from '../app/paths.ts';
import { Head, ToPayment, Unresolved } from '../app/unresolved-layaway.tsx';
import { unresolvedCopy } from '../app/unresolved-copy.ts';
import styles from '../app/unresolved-layaway.module.css';
import { isAwaited } from '../data/is-awaited.ts';
import { useMade, type LayawayReference } from '../data/layaway.ts';
import { companyLogoQuery } from '../data/logos.ts';
import { merchantQuery, productQuery } from '../data/merchants.ts';
import { unresolvedLayawaysQuery } from '../data/unresolved-layaways.ts';
import { reference, useReference } from '../session/reference.ts';
import { informationCopy } from './information-copy.ts';
import { offerOf } from './offer.ts';
import { scannedCopy as copy } from './scanned-copy.ts';

/**
 * rules/layaways#kept-reference: on home a saved reference leads, until it is finished or dropped; while a card pays it, that payment.
 * One of another product that has a payment open or money owed back leads before it, wherever it was made. `after` comes below,
 * and is told whether that is known, so that it does not move later.
 */
export default function Scanned({ after }: { after: (isKnown: boolean) => ReactNode }) {
  const query = useQuery(unresolvedLayawaysQuery());
  const isKnown = !isAwaited(query);
  const saved = parseLayawayReference(useReference() ?? '');
  const { purchase, reference: made } = useMade(saved.ok ? saved.value : undefined);
  const kept = saved.ok && purchase !== 'made' ? saved.value : undefined;
  const isOfKept = ({ merchantId, productId }: LayawayReference) =>
    merchantId === kept?.businessId && productId === kept.productId;
  const [first] = query.data ?? [];
  const ofKept = made ?? query.data?.find(isOfKept);
  const keptIsShown = kept && (first === undefined || ofKept?.attempt?.isOpen || isOfKept(first));
  return (
    <>
      {keptIsShown ? (
        <Kept scanned={kept} made={ofKept} isUnknown={!isKnown || purchase === 'unknown'} />
      ) : (
        first && <Unresolved reference={first} />
      )}
      {after(isKnown)}
    </>
  );
}

function Kept({
  scanned,
  made,
  isUnknown,
}: {
  scanned: ScannedReference;
  made: LayawayReference | undefined;
  isUnknown: boolean;
}) {
  return (
    <Ticket
      key={`${scanned.businessId} ${scanned.productId}`}
      label={unresolvedCopy.label}
      stub="side"
      thing={
        isUnknown ? (
          <div className={styles.product}>
            <Loading />
          </div>
        ) : (
          <Product scanned={scanned} made={made} />
        )
      }
      act={
        made?.attempt?.isOpen ? (
          <ToPayment reference={made} attempt={made.attempt} />
        ) : (
          <div className={text.tight}>
            <ButtonLink variant="primary" wide to={paths.layaway}>
              {copy.go}
            </ButtonLink>
            <Button variant="quiet" onClick={() => reference.clear()}>
              {copy.drop}
            </Button>
          </div>
        )
      }
    />
  );
}

function Loading() {
  return (
    <Skeleton label={copy.loading}>
      <SkeletonBlock shape="tile" />
      <SkeletonBlock />
      <SkeletonBlock width="most" />
    </Skeleton>
  );
}

/** Its name, deposit and plan, and where its payment stands. What comes below waits for them, so nothing moves. */
function Product({ scanned, made }: { scanned: ScannedReference; made: LayawayReference | undefined }) {
  const merchant = useQuery(merchantQuery(scanned.businessId));
  const product = useQuery(productQuery(scanned.productId));
  const { data: logo } = useQuery({
    ...companyLogoQuery(merchant.data?.companyId ?? 0),
    enabled: merchant.data !== undefined,
  });
  const today = useToday();
  const offer = merchant.data && product.data && offerOf(merchant.data, product.data, today);
  const head = <Head made={made} />;
  if (!offer) {
    const failed = merchant.error ?? product.error ?? (merchant.data && product.data);
    return (
      <div className={styles.product}>
        {head}
        {failed ? <p className={text.muted}>{copy.notLoaded}</p> : <Loading />}
      </div>
    );
  }
  const { later } = informationCopy.information;
  return (
    <div className={styles.product}>
      {head}
      <ProductHeader
        title={product.data.name}
        sub={merchant.data.name}
        merchant={merchant.data.name}
        logo={logo ?? undefined}
      />
      <LineItems
        rows={[
          {
            label: informationCopy.information.deposit(offer.depositPercent),
            amount: offer.depositCentavos,
            strong: true,
          },
        ]}
      />
      <p className={`${text.muted} ${text.small}`}>
        {later(offer.laterInstalments, offer.eachCentavos, offer.lastCentavos)}
      </p>
    </div>
  );
}
