import styles from './product-header.module.css';

/**
 * Who sells and what. The merchant's logo comes from the API and lies on white by day and night; until it is there,
 * and where there is none, the first letter of `merchant` stands on its tile.
 */
export function ProductHeader({
  title,
  sub,
  subFirst = false,
  heading,
  merchant,
  logo,
}: {
  title: string;
  sub: string;
  /** The second line stands above, as a label of the first ('Comercio'). */
  subFirst?: boolean;
  /** The title heads a screen (it takes the focus: see `useArrival`) or a part of one. */
  heading?: 'h1' | 'h2';
  merchant: string;
  /** A `data:` or `blob:` address of the image. */
  logo?: string | undefined;
}) {
  const Title = heading ?? 'p';
  return (
    <div className={styles.header} data-sub-first={subFirst || undefined}>
      <span className={styles.logo} aria-hidden="true">
        {logo ? (
          <img src={logo} alt="" width={48} height={48} />
        ) : (
          merchant.trim().charAt(0).toLocaleUpperCase('es-MX')
        )}
      </span>
      <div className={styles.words}>
        <Title className={styles.title} tabIndex={heading === 'h1' ? -1 : undefined}>
          {title}
        </Title>
        <p className={styles.sub}>{sub}</p>
      </div>
    </div>
  );
}
