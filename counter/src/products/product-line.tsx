import { Amount } from '@aparta/ui/amount.tsx';
import { AppLink } from '@aparta/ui/app-link.tsx';
import { ProductTile } from '@aparta/ui/product-tile.tsx';
import { paths } from '../app/paths.ts';
import type { Product } from '../data/products.ts';
import styles from './products.module.css';

/** A product on a list, with its picture or a tag in its place; leads to its page. */
export function ProductLine({
  product: { id, name, price, pictures },
  text,
}: {
  product: Product;
  text: string;
}) {
  return (
    <AppLink to={paths.product(id)} className={styles.line}>
      <ProductTile name={name} pictures={pictures} inList />
      <span className={styles.words}>
        <span className={styles.title}>
          <b>{name}</b>
          <Amount of={price} size="strong" />
        </span>
        <small>{text}</small>
      </span>
    </AppLink>
  );
}
