import { paidOffCopy as copy } from './paid-off-copy.ts';
import { Icon } from './icon.tsx';
import { News } from './news.tsx';
import { PaidBadge } from './paid-badge.tsx';
import { ProductHeader } from './product-header.tsx';
import { Progress } from './progress.tsx';
import styles from './paid-off.module.css';
import text from './text.module.css';

/** The last payment was made: what is theirs now, and its full row. `date` is already formatted. */
export function PaidOff({
  product,
  count,
  date,
  isNews = false,
  heading,
}: {
  /** Left out where it stands above. */
  product?: { name: string; merchant: string; logo: string | undefined };
  /** Of the plan's payments, all of them paid. */
  count: number;
  date: string;
  /** It was just paid. */
  isNews?: boolean;
  heading?: 'h2';
}) {
  const Title = heading ?? 'p';
  return (
    <>
      <div className={text.withBadge}>
        <News on={isNews}>
          <Title>
            <span className={styles.title}>{copy.title}</span>
          </Title>
        </News>
        <PaidBadge date={date} />
      </div>
      {product !== undefined && (
        <ProductHeader
          title={product.name}
          sub={product.merchant}
          merchant={product.merchant}
          logo={product.logo}
        />
      )}
      <Progress segments={Array.from({ length: count }, () => 'paid')} />
    </>
  );
}

/** Where what was paid off waits. Keeps the room of the address while that loads. */
export function PickUp({
  merchant,
  place,
}: {
  merchant: string;
  place: { address: string; phone: string } | undefined;
}) {
  return (
    <div className={`${text.beside} ${styles.pickUp}`}>
      <Icon name="store" />
      <p>
        <b>{copy.pickUp(merchant)}</b>
        <span>{place ? place.address || copy.ask : '\u00a0'}</span>
        {place?.phone && <a href={`tel:${place.phone.replace(/[^+\d]/g, '')}`}>{copy.phone(place.phone)}</a>}
      </p>
    </div>
  );
}
