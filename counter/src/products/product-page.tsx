import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { LineItems, type LineItem } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { productQuery, type Product } from '../data/products.ts';
import { useSession } from '../session/session.ts';
import { productsCopy } from './copy.ts';
import { QrCode } from './qr-code.tsx';
import styles from './products.module.css';

const copy = productsCopy.product;
const CAN_SHARE = 'share' in navigator;

/** A product as a buyer would be offered it today, and the label that they scan. */
export default function ProductPage({ id }: { id: number }) {
  const query = useQuery(productQuery(id));
  const { data: product, error } = query;
  useArrival(product?.name ?? productsCopy.title, config.productName);
  return (
    <Page>
      {product ? (
        <Full product={product} />
      ) : isRefused(error, 'NOT_FOUND', 'INVALID_INPUT') ? (
        <div className={text.stack}>
          <PageHead title={productsCopy.title} />
          <Notice tone="danger" title={copy.missing} urgent />
          <ButtonLink to={paths.products}>{copy.back}</ButtonLink>
        </div>
      ) : error ? (
        <Failed
          title={productsCopy.failed}
          text={sentenceFor(error)}
          busy={query.isFetching ? productsCopy.retrying : undefined}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Skeleton label={productsCopy.loading}>
          <SkeletonBlock shape="title" width="half" />
          <SkeletonBlock width="most" />
          <SkeletonBlock shape="sum" />
        </Skeleton>
      )}
    </Page>
  );
}

function Full({ product }: { product: Product }) {
  return (
    <>
      <div className={styles.offScreen}>
        <PageHead title={product.name}>{product.description}</PageHead>
      </div>
      <div className={styles.column}>
        <section className={`${text.card} ${styles.offScreen}`}>
          <LineItems rows={planOf(product)} />
        </section>
        {product.plan ? (
          <Label product={product} plan={product.plan} />
        ) : (
          <Notice tone="pending" title={productsCopy.withoutPlan} />
        )}
      </div>
    </>
  );
}

function planOf({ sku, price, plan }: Product): LineItem[] {
  return [
    ...(sku === '' ? [] : [{ label: copy.code, text: sku }]),
    { label: copy.price, amount: price },
    ...(plan
      ? [
          { label: copy.today, amount: plan.deposit, strong: true },
          { label: copy.later(plan.payments - 1), amount: plan.each },
          ...(plan.last === plan.each ? [] : [{ label: copy.last, amount: plan.last }]),
          { label: copy.every, text: copy.days(plan.everyDays) },
        ]
      : []),
  ];
}

function Label({ product, plan }: { product: Product; plan: NonNullable<Product['plan']> }) {
  const tradeName = useSession()?.merchant.tradeName;
  const [said, setSaid] = useState<string>();

  async function share() {
    const words = copy.shareText(product.name, plan.deposit);
    try {
      if (CAN_SHARE) await navigator.share({ text: words, url: plan.link });
      else {
        await navigator.clipboard.writeText(plan.link);
        setSaid(copy.copied);
      }
    } catch (error) {
      // Closing the share sheet is not an error.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setSaid(copy.shareFailed);
    }
  }

  return (
    <section className={text.stack} aria-label={copy.label}>
      <div className={styles.label}>
        <p className={styles.name}>{product.name}</p>
        <QrCode text={plan.link} label={copy.qrOf(product.name)} />
        <p>{productsCopy.deposit(plan.deposit)}</p>
        <p className={text.small}>{copy.scan}</p>
        <p className={text.small}>{tradeName}</p>
      </div>
      <div className={`${text.pair} ${styles.offScreen}`}>
        <Button icon="save" onClick={() => window.print()}>
          {copy.print}
        </Button>
        <Button icon="share" onClick={() => void share()}>
          {CAN_SHARE ? copy.share : copy.copy}
        </Button>
      </div>
      <p role="status" className={`${text.small} ${styles.offScreen}`}>
        {said}
      </p>
    </section>
  );
}
