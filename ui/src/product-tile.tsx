import { uiCopy as copy } from './copy.ts';
import { Icon } from './icon.tsx';
import styles from './product-tile.module.css';
import { savesData } from './saves-data.ts';

/** Where a product's picture is: at most 192 and 960 pixels a side. */
export interface Pictures {
  readonly small: string;
  readonly large: string;
}

/** What a product looks like, or a tag in its place. In a list, beside the name, it says nothing to a screen reader. */
export function ProductTile({
  name,
  pictures,
  inList = false,
}: {
  name: string;
  pictures: Pictures | null;
  inList?: boolean;
}) {
  return (
    <span className={styles.tile} data-in-list={inList || undefined}>
      {!pictures ? (
        <Icon name="tag" />
      ) : inList ? (
        <img src={pictures.small} alt="" width={64} height={64} loading="lazy" />
      ) : (
        <img
          src={pictures.small}
          // A dense screen asks for the large one.
          {...(!savesData() && {
            srcSet: `${pictures.small} 192w, ${pictures.large} 960w`,
            sizes: '96px',
          })}
          alt={copy.pictureOf(name)}
          width={96}
          height={96}
        />
      )}
    </span>
  );
}
