import { may } from '@aparta/domain/staff-rights';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Empty } from '@aparta/ui/empty.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, useSubmit } from '@aparta/ui/form.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useLocation, useSearchParams } from 'wouter';
import { Filters } from '../lists/filters.tsx';
import { NotYet } from '../lists/not-yet.tsx';
import { More } from '../lists/more.tsx';
import { config } from '../app/config.ts';
import { paths, productsAddress } from '../app/paths.ts';
import { productsQuery, type ProductShow } from '../data/products.ts';
import { useSession } from '../session/session.ts';
import { productsCopy as copy } from './copy.ts';
import { ProductLine } from './product-line.tsx';
import styles from './products.module.css';

/** What the merchant has on sale, or has taken off it; each leads to its plan and its label. What is listed is in the address. */
export default function ProductsPage() {
  useArrival(copy.title, config.productName);
  const role = useSession()?.position.role;
  const mayEdit = role !== undefined && may(role, 'edit_products');
  const [address] = useSearchParams();
  const [, navigate] = useLocation();
  const search = address.get('buscar')?.trim() ?? '';
  const withdrawn = mayEdit && address.get('ver') === 'fuera-de-venta';
  const form = useSubmit({
    async send(typed) {
      navigate(productsAddress({ withdrawn, search: typed('search').trim() }));
      return {};
    },
    refuse: () => ({}),
  });
  return (
    <Page>
      <PageHead title={copy.title}>{copy.intro}</PageHead>
      <div className={text.stack}>
        {mayEdit && (
          <div className={styles.add}>
            <ButtonLink variant="primary" to={paths.newProduct}>
              {copy.add.title}
            </ButtonLink>
          </div>
        )}
        <Form of={form} className={styles.search}>
          <Field
            {...form.field('search')}
            key={search}
            label={copy.search}
            type="search"
            autoComplete="off"
            maxLength={60}
            enterKeyHint="search"
            defaultValue={search}
          />
          <Button type="submit">{copy.searchSubmit}</Button>
        </Form>
        {mayEdit && (
          <Filters
            label={copy.lists}
            of={[false, true].map((each) => ({
              to: productsAddress({ withdrawn: each, search }),
              isOn: each === withdrawn,
              label: each ? copy.withdrawn : copy.onSale,
            }))}
          />
        )}
        <Products show={withdrawn ? 'withdrawn' : 'on_sale'} search={search} mayEdit={mayEdit} />
      </div>
    </Page>
  );
}

function Products({ show, search, mayEdit }: { show: ProductShow; search: string; mayEdit: boolean }) {
  const query = useInfiniteQuery(productsQuery(show, search));
  const products = query.data?.pages.flatMap((page) => page.products);
  if (!products) return <NotYet of={query} failed={copy.failed} loading={copy.loading} />;
  if (products.length === 0) {
    const none = show === 'withdrawn' ? copy.noneWithdrawn : mayEdit ? copy.noneYours : copy.none;
    return <Empty text={search === '' ? none : copy.noneFound(search)} />;
  }
  const total = query.data?.pages[0]?.total;
  return (
    <>
      {typeof total === 'number' && (
        <p className={`${text.muted} ${text.small}`} role="status">
          {copy.count(total)}
        </p>
      )}
      <ul className={styles.list}>
        {products.map((product) => (
          <li key={product.id}>
            <ProductLine
              product={product}
              text={
                product.units?.free === 0 && product.onSale
                  ? copy.soldOut
                  : product.plan
                    ? copy.deposit(product.plan.deposit)
                    : show === 'withdrawn'
                      ? copy.withdrawn
                      : copy.withoutPlan
              }
            />
          </li>
        ))}
      </ul>
      <More of={query} />
    </>
  );
}
