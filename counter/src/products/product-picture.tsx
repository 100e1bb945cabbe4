import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Icon } from '@aparta/ui/icon.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useOnline } from '../app/use-online.ts';
import { productQuery, putPicture, type Product } from '../data/products.ts';
import { productsCopy } from './copy.ts';
import styles from './products.module.css';
import { readPhoto } from './read-photo.ts';

const copy = productsCopy.picture;

/** What a product looks like, for who may change nothing of it. */
export function ProductPicture({ product: { name, pictures } }: { product: Product }) {
  return (
    pictures && (
      <div className={styles.picture}>
        <img src={pictures.large} alt={copy.of(name)} />
      </div>
    )
  );
}

/** The same for its owner, who takes or chooses another picture, or takes it away. Its place is there before it is. */
export function OwnProductPicture({ product }: { product: Product }) {
  const { id, pictures } = product;
  const queries = useQueryClient();
  const online = useOnline();
  const input = useRef<HTMLInputElement>(null);
  const put = useMutation({
    mutationFn: async (photo: File | undefined) => putPicture(id, photo ? await readPhoto(photo) : null),
    onSuccess(changed) {
      queries.setQueryData(productQuery(id).queryKey, changed);
      void queries.invalidateQueries({ queryKey: ['products'] });
    },
  });
  const busy = put.isPending ? copy.busy : undefined;
  return (
    <div className={text.tight}>
      {pictures && !put.error ? (
        <ProductPicture product={product} />
      ) : (
        <div className={styles.picture}>
          {put.error ? <Notice tone="danger" title={sentenceFor(put.error)} urgent /> : <Icon name="photo" />}
        </div>
      )}
      <div className={text.pair}>
        <Button icon="camera" busy={busy} disabled={!online} onClick={() => input.current?.click()}>
          {pictures ? copy.change : copy.add}
        </Button>
        {pictures && (
          <Button disabled={!online || put.isPending} onClick={() => put.mutate(undefined)}>
            {copy.remove}
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={copy.add}
        onChange={(event) => {
          const photo = event.target.files?.[0];
          if (photo) put.mutate(photo);
          // So that choosing the same photo again fires a change.
          event.target.value = '';
        }}
      />
    </div>
  );
}
