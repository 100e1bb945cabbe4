import { parseLayawayReference, type LayawayReference } from '@aparta/domain/layaway-reference';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import { Skeleton, SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useToday } from '@aparta/ui/use-today.ts';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../app/paths.ts';
import { useWhetherMade } from '../data/layaway.ts';
import { companyLogoQuery } from '../data/logos.ts';
import { merchantQuery, productQuery } from '../data/merchants.ts';
import { reference, useReference } from '../session/reference.ts';
import { informationCopy } from './information-copy.ts';
import { offerOf } from './offer.ts';
import styles from './scanned.module.css';

const copy = informationCopy.scanned;

/** rules/layaways#kept-reference: on home a saved reference leads, until it is finished or dropped. */
export default function Scanned() {
  const saved = parseLayawayReference(useReference() ?? '');
  const purchase = useWhetherMade(saved.ok ? saved.value : undefined);
  if (!saved.ok || purchase === 'made') return null;
  const { businessId, productId } = saved.value;
  return (
    <Ticket
      key={`${businessId} ${productId}`}
      label={copy.label}
      stub="side"
      thing={purchase === 'unknown' ? <Loading /> : <Product scanned={saved.value} />}
      act={
        <div className={text.tight}>
          <ButtonLink variant="primary" wide to={paths.layaway}>
            {copy.go}
          </ButtonLink>
          <Button variant="quiet" onClick={() => reference.clear()}>
            {copy.drop}
          </Button>
        </div>
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

/** Its name, deposit and plan. What comes below waits for them, so nothing moves. */
function Product({ scanned }: { scanned: LayawayReference }) {
  const merchant = useQuery(merchantQuery(scanned.businessId));
  const product = useQuery(productQuery(scanned.productId));
  const { data: logo } = useQuery({
    ...companyLogoQuery(merchant.data?.companyId ?? 0),
    enabled: merchant.data !== undefined,
  });
  const today = useToday();
  const offer = merchant.data && product.data && offerOf(merchant.data, product.data, today);
  const head = (
    <div>
      <h2>{copy.title}</h2>
      <p className={`${text.muted} ${text.small}`}>{copy.text}</p>
    </div>
  );
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
