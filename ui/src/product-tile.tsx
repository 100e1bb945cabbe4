import { partsCopy as copy } from './parts-copy.ts';
import { Icon } from './icon.tsx';
import styles from './product-tile.module.css';

/** What a product looks like, or a tag in its place; the small picture on any line. In a list it says nothing to a screen reader. */
export function ProductTile({
  name,
  pictures,
  inList = false,
}: {
  name: string;
  pictures: { readonly small: string } | null;
  inList?: boolean;
}) {
  return (
    <span className={styles.tile} data-in-list={inList || undefined}>
      {pictures ? (
        <img
          src={pictures.small}
          alt={inList ? '' : copy.pictureOf(name)}
          loading={inList ? 'lazy' : 'eager'}
        />
      ) : (
        <Icon name="tag" />
      )}
    </span>
  );
}
