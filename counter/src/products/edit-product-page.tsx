import { isRefused } from '@aparta/browser/api-error.ts';
import { Button } from '@aparta/ui/button.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import text from '@aparta/ui/text.module.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { paths } from '../app/paths.ts';
import { editProduct, planTermsQuery, productQuery, type Entry, type Product } from '../data/products.ts';
import { productsCopy } from './copy.ts';
import { draftOf, type Fields, useDraft } from './draft.ts';
import { differencesOf, entryFrom } from './entry.ts';
import { ProductForm } from './product-form.tsx';
import { ProductOr } from './product-or.tsx';
import styles from './products.module.css';

const copy = productsCopy.edit;

/** Changes a product. It is read anew first, and then stays as it was read until a press is refused over it. */
export default function EditProductPage({ id }: { id: number }) {
  const query = useQuery({
    ...productQuery(id),
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  // The plan is asked for beside it, so that nothing moves when it comes.
  const isReady = !useQuery(planTermsQuery).isPending && query.isFetchedAfterMount;
  return (
    <Page>
      <ProductOr query={query} product={isReady ? query.data : undefined} title={copy.title}>
        {(product) => <Full product={product} />}
      </ProductOr>
    </Page>
  );
}

function Full({ product }: { product: Product }) {
  const { id, version } = product;
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const { draft, wasKept, type, forget } = useDraft(id, () => draftOf(product));
  const isOlder = draft.version !== version;

  function leave() {
    forget();
    navigate(paths.product(id), { replace: true });
  }
  async function send(entry: Entry, isOpen: () => boolean) {
    try {
      // Of what is on the screen: who was shown somebody else's change writes over it.
      const saved = await editProduct(id, version, entry);
      queries.setQueryData(productQuery(id).queryKey, saved);
      void queries.invalidateQueries({ queryKey: ['products'] });
      if (isOpen()) leave();
      return 'leaving';
    } catch (error) {
      if (!isRefused(error, 'PRODUCT_CHANGED')) throw error;
      await queries.fetchQuery({ ...productQuery(id), staleTime: 0 });
      return {};
    }
  }
  return (
    <>
      <PageHead title={copy.title}>{copy.intro}</PageHead>
      <div className={text.stack}>
        {wasKept && <Notice tone="info" title={copy.kept} />}
        <ProductForm
          fields={draft.fields}
          type={type}
          submit={isOlder ? copy.submitMine : copy.submit}
          notice={isOlder && <Changed product={product} fields={draft.fields} />}
          other={
            (wasKept || isOlder) && (
              <Button wide onClick={leave}>
                {copy.dropMine}
              </Button>
            )
          }
          send={send}
        />
      </div>
    </>
  );
}

/** Somebody else changed it meanwhile: what it says now. */
function Changed({ product, fields }: { product: Product; fields: Fields }) {
  const read = entryFrom(fields, undefined);
  const now = 'entry' in read ? differencesOf(product, read.entry) : [];
  return (
    <>
      <Notice tone="pending" title={copy.changed} urgent>
        {copy.changedText}
      </Notice>
      {now.length > 0 && (
        <section className={`${text.card} ${text.tight}`} aria-label={copy.now}>
          <h2 className={styles.cardTitle}>{copy.now}</h2>
          <LineItems rows={now} />
        </section>
      )}
    </>
  );
}
