import '@aparta/ui/capture-icons.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Icon } from '@aparta/ui/icon.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { savesData } from '@aparta/ui/saves-data.ts';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useOnline } from '../app/use-online.ts';
import { productQuery, putPicture, type Product } from '../data/products.ts';
import { productsCopy } from './copy.ts';
import styles from './products.module.css';
import { readPhoto } from './read-photo.ts';

const copy = productsCopy.picture;

const addressOf = (pictures: NonNullable<Product['pictures']>) =>
  savesData() ? pictures.small : pictures.large;

/** What a product looks like, for who may change nothing of it. */
export function ProductPicture({ product: { name, pictures } }: { product: Product }) {
  return (
    pictures && (
      <div className={styles.picture}>
        <img src={addressOf(pictures)} alt={copy.of(name)} />
      </div>
    )
  );
}

/** The same for its owner, who takes or chooses another picture, or takes it away. */
export function OwnProductPicture({ product }: { product: Product }) {
  const { id, name, pictures } = product;
  const queries = useQueryClient();
  const put = useMutation({
    mutationFn: async (photo: File | undefined) => putPicture(id, photo ? await readPhoto(photo) : null),
    onSuccess(changed) {
      queries.setQueryData(productQuery(id).queryKey, changed);
      void queries.invalidateQueries({ queryKey: ['products'] });
    },
  });
  return (
    <ChoosePicture
      src={pictures ? addressOf(pictures) : undefined}
      name={name}
      error={put.error}
      isBusy={put.isPending}
      onChoose={put.mutate}
    />
  );
}

/** The picture of a product that is not there yet. */
export function NewProductPicture({
  name,
  onChoose,
}: {
  name: string;
  onChoose: (photo: File | undefined) => void;
}) {
  const [src, setSrc] = useState<string>();
  return (
    <ChoosePicture
      src={src}
      name={name}
      error={null}
      isBusy={false}
      onChoose={(photo) => {
        setSrc(photo && URL.createObjectURL(photo));
        onChoose(photo);
      }}
    />
  );
}

/** A picture, whose place is there before it is, and choosing another or none. */
function ChoosePicture({
  src,
  name,
  error,
  isBusy,
  onChoose,
}: {
  src: string | undefined;
  name: string;
  error: unknown;
  isBusy: boolean;
  onChoose: (photo: File | undefined) => void;
}) {
  const online = useOnline();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={text.tight}>
      <div className={styles.picture}>
        {error ? (
          <Notice tone="danger" title={sentenceFor(error)} urgent />
        ) : src === undefined ? (
          <Icon name="photo" />
        ) : (
          // A photo that was just chosen is let go; of any other address nothing is.
          <img src={src} alt={copy.of(name)} onLoad={() => URL.revokeObjectURL(src)} />
        )}
      </div>
      <div className={text.pair}>
        <Button
          icon="camera"
          busy={isBusy ? copy.busy : undefined}
          disabled={!online}
          onClick={() => input.current?.click()}
        >
          {src === undefined ? copy.add : copy.change}
        </Button>
        {src !== undefined && (
          <Button disabled={!online || isBusy} onClick={() => onChoose(undefined)}>
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
          if (photo) onChoose(photo);
          // So that choosing the same photo again fires a change.
          event.target.value = '';
        }}
      />
    </div>
  );
}
