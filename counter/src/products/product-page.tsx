import { may } from '@aparta/domain/staff-rights';
import { Button } from '@aparta/ui/button.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { ProductTile } from '@aparta/ui/product-tile.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import text from '@aparta/ui/text.module.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { productQuery, type Product } from '../data/products.ts';
import { useSession } from '../session/session.ts';
import { productsCopy } from './copy.ts';
import { planLines } from './plan-lines.ts';
import { ProductActs } from './product-acts.tsx';
import { OwnProductPicture, ProductPicture } from './product-picture.tsx';
import { ProductOr } from './product-or.tsx';
import { ProductUnits } from './product-units.tsx';
import { QrCode } from './qr-code.tsx';
import styles from './products.module.css';

const copy = productsCopy.product;
const CAN_SHARE = 'share' in navigator;

/** A product as a buyer would be offered it today, and the label that they scan. */
export default function ProductPage({ id }: { id: number }) {
  const query = useQuery(productQuery(id));
  return (
    <Page>
      <ProductOr query={query} product={query.data}>
        {(product) => <Full product={product} />}
      </ProductOr>
    </Page>
  );
}

function Full({ product }: { product: Product }) {
  const { name, description, sku, price, plan, onSale } = product;
  const role = useSession()?.position.role;
  const mayEdit = role !== undefined && may(role, 'edit_products');
  return (
    <>
      <div className={styles.offScreen}>
        <PageHead title={name}>{description}</PageHead>
      </div>
      <div className={styles.column}>
        <div className={`${text.stack} ${styles.offScreen}`}>
          {mayEdit ? <OwnProductPicture product={product} /> : <ProductPicture product={product} />}
          <section className={text.card}>
            <LineItems
              rows={[...(sku === '' ? [] : [{ label: copy.code, text: sku }]), ...planLines(price, plan)]}
            />
          </section>
          <ProductUnits product={product} />
          {mayEdit && <ProductActs product={product} />}
        </div>
        {plan ? (
          <Label product={product} plan={plan} />
        ) : onSale ? (
          <Notice tone="pending" title={productsCopy.withoutPlan} />
        ) : (
          <Notice tone="pending" title={copy.withdrawn}>
            {copy.withdrawnText}
          </Notice>
        )}
      </div>
    </>
  );
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
        {product.pictures && <ProductTile name={product.name} pictures={product.pictures} />}
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
