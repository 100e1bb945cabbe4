import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Empty } from '@aparta/ui/empty.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, useSubmit } from '@aparta/ui/form.tsx';
import { Option } from '@aparta/ui/option.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { productsQuery } from '../data/products.ts';
import { productsCopy as copy } from './copy.ts';
import styles from './products.module.css';

/** What the merchant has on sale; each leads to its plan and its label. */
export default function ProductsPage() {
  useArrival(copy.title, config.productName);
  const [search, setSearch] = useState('');
  const form = useSubmit({
    async send(typed) {
      setSearch(typed('search').trim());
      return {};
    },
    refuse: () => ({}),
  });
  return (
    <Page>
      <PageHead title={copy.title}>{copy.intro}</PageHead>
      <div className={text.stack}>
        <Form of={form} className={styles.search}>
          <Field
            {...form.field('search')}
            label={copy.search}
            type="search"
            autoComplete="off"
            maxLength={60}
            enterKeyHint="search"
          />
          <Button type="submit">{copy.searchSubmit}</Button>
        </Form>
        <Products search={search} />
      </div>
    </Page>
  );
}

function Products({ search }: { search: string }) {
  const query = useInfiniteQuery(productsQuery(search));
  const products = query.data?.pages.flatMap((page) => page.products);
  if (!products)
    return query.error ? (
      <Failed
        title={copy.failed}
        text={sentenceFor(query.error)}
        busy={query.isFetching ? copy.retrying : undefined}
        onRetry={() => void query.refetch()}
      />
    ) : (
      <Skeleton label={copy.loading}>
        <SkeletonBlock shape="control" />
        <SkeletonBlock shape="control" />
        <SkeletonBlock shape="control" />
      </Skeleton>
    );
  if (products.length === 0) return <Empty text={search === '' ? copy.none : copy.noneFound(search)} />;
  const total = query.data?.pages[0]?.total;
  return (
    <>
      {typeof total === 'number' && (
        <p className={`${text.muted} ${text.small}`} role="status">
          {copy.count(total)}
        </p>
      )}
      <ul className={styles.list}>
        {products.map(({ id, name, price, plan }) => (
          <li key={id}>
            <Option
              icon="tag"
              title={name}
              text={plan ? copy.deposit(plan.deposit) : copy.withoutPlan}
              amount={price}
              to={paths.product(id)}
            />
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          wide
          busy={query.isFetchingNextPage ? copy.moreBusy : undefined}
          onClick={() => void query.fetchNextPage()}
        >
          {copy.more}
        </Button>
      )}
    </>
  );
}
