import { Button } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import text from '@aparta/ui/text.module.css';
import { newId } from '@aparta/browser/new-id.ts';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { addProduct, productQuery, putPicture, type Entry, type Product } from '../data/products.ts';
import { productsCopy } from './copy.ts';
import { newDraft, useDraft } from './draft.ts';
import { differencesOf } from './entry.ts';
import { ProductForm } from './product-form.tsx';
import { NewProductPicture } from './product-picture.tsx';
import { readPhoto } from './read-photo.ts';

const copy = productsCopy.add;

/** Adds a product, and leads to its label. */
export default function AddProductPage() {
  useArrival(copy.title, config.productName);
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const draft = useDraft('new', newDraft);
  const [photo, setPhoto] = useState<File>();
  const [known, setKnown] = useState<Product>();

  async function send(entry: Entry, isOpen: () => boolean) {
    const product = await addProduct(draft.draft.pressId, entry);
    queries.setQueryData(productQuery(product.id).queryKey, product);
    void queries.invalidateQueries({ queryKey: ['products'] });
    // The first time had arrived after all, and said something else: the next press is another product.
    if (differencesOf(product, entry).length > 0) {
      draft.put({ ...draft.draft, pressId: newId() });
      setKnown(product);
      return {};
    }
    // Refused, the product is there: pressed again, it is found and its picture sent again.
    if (photo)
      queries.setQueryData(
        productQuery(product.id).queryKey,
        await putPicture(product.id, await readPhoto(photo)),
      );
    draft.forget();
    if (isOpen()) navigate(paths.product(product.id), { replace: true });
    return 'leaving';
  }

  function change({ id, version }: Product) {
    draft.moveTo(id, version);
    navigate(paths.editProduct(id), { replace: true });
  }

  return (
    <Page>
      <PageHead title={copy.title} />
      <div className={text.stack}>
        {draft.wasKept && (
          <div className={text.between}>
            <Notice tone="info" title={copy.kept} />
            <Button variant="quiet" small onClick={draft.startAnew}>
              {copy.startAnew}
            </Button>
          </div>
        )}
        <ProductForm
          fields={draft.draft.fields}
          type={draft.type}
          submit={known ? copy.addAnother : copy.submit}
          picture={<NewProductPicture name={draft.draft.fields.name} onChoose={setPhoto} />}
          notice={known && <Known product={known} onChange={() => change(known)} />}
          send={send}
        />
      </div>
    </Page>
  );
}

/** What was pressed before is there, and says something else than the form. */
function Known({ product, onChange }: { product: Product; onChange: () => void }) {
  return (
    <>
      <Notice tone="pending" title={copy.known(product.name)} urgent>
        {copy.knownText}
      </Notice>
      <Button wide onClick={onChange}>
        {copy.changeKnown}
      </Button>
    </>
  );
}
