import { ProductTile } from './product-tile.tsx';
import styles from './product-header.module.css';

/**
 * Product and merchant with the merchant's logo, on white by day and night. Without a logo it shows the initial of
 * `merchant`; a picture of the product stands in its place.
 */
export function ProductHeader({
  title,
  sub,
  subFirst = false,
  heading,
  merchant,
  logo,
  pictures = null,
  inList = false,
}: {
  title: string;
  sub: string;
  /** Puts `sub` above the title, as its label ('Comercio'). */
  subFirst?: boolean;
  /** Renders the title as a heading; 'h1' takes focus when the screen opens (see `useArrival`). */
  heading?: 'h1' | 'h2';
  merchant: string;
  /** A `data:` or `blob:` URL. */
  logo?: string | undefined;
  pictures?: Parameters<typeof ProductTile>[0]['pictures'];
  inList?: boolean;
}) {
  const Title = heading ?? 'p';
  return (
    <div className={styles.header} data-sub-first={subFirst || undefined}>
      {pictures ? (
        <ProductTile name={title} pictures={pictures} inList={inList} />
      ) : (
        <span className={styles.logo} aria-hidden="true">
          {logo ? (
            <img src={logo} alt="" width={48} height={48} />
          ) : (
            merchant.trim().charAt(0).toLocaleUpperCase('es-MX')
          )}
        </span>
      )}
      <div className={styles.words}>
        <Title className={styles.title} tabIndex={heading === 'h1' ? -1 : undefined}>
          {title}
        </Title>
        <p className={styles.sub}>{sub}</p>
      </div>
    </div>
  );
}
