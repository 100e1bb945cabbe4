import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { paths } from '../app/paths.ts';
import { useOnline } from '../app/use-online.ts';
import { productQuery, putOnSale, type Product } from '../data/products.ts';
import { productsCopy } from './copy.ts';
import styles from './products.module.css';

const copy = productsCopy.acts;

/** What an owner does with a product: change it, take it off sale, put it back. */
export function ProductActs({ product: { id, onSale } }: { product: Product }) {
  const queries = useQueryClient();
  const online = useOnline();
  const sale = useMutation({
    mutationFn: () => putOnSale(id, !onSale),
    onSuccess(product) {
      queries.setQueryData(productQuery(id).queryKey, product);
      void queries.invalidateQueries({ queryKey: ['products'] });
    },
  });
  return (
    <div className={`${text.tight} ${styles.offScreen}`}>
      {sale.error && <Notice tone="danger" title={sentenceFor(sale.error)} urgent />}
      <div className={text.pair}>
        <ButtonLink to={paths.editProduct(id)}>{copy.edit}</ButtonLink>
        <Button
          busy={sale.isPending ? copy.saving : undefined}
          disabled={!online}
          onClick={() => sale.mutate()}
        >
          {onSale ? copy.withdraw : copy.restore}
        </Button>
      </div>
      {onSale && <p className={`${text.muted} ${text.small}`}>{copy.withdrawHint}</p>}
    </div>
  );
}
