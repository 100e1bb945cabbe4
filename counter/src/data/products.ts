import { getCounterProduct, listProducts, type CounterProduct } from '@aparta/contract/counter-products';
import { pesosToCentavos, zero, type Centavos } from '@aparta/domain/money';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

export type Product = ReturnType<typeof productFrom>;

const sum = (pesos: number): Centavos => pesosToCentavos(pesos) ?? zero;

function productFrom({ price, plan, ...product }: CounterProduct) {
  return {
    ...product,
    price: sum(price),
    plan: plan && {
      ...plan,
      deposit: sum(plan.deposit),
      each: sum(plan.each),
      last: sum(plan.last),
    },
  };
}

/** What the merchant has on sale, a page at a time; `search` is a part of the name, or of the code. */
export const productsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['products', search],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...(search !== '' && { search }), ...(pageParam !== '' && { cursor: pageParam }) };
      const { data, next, total } = await call(listProducts, { query }, { signal });
      return { products: data.map(productFrom), next, total };
    },
    getNextPageParam: ({ next }) => next,
  });

export const productQuery = (id: number) =>
  queryOptions({
    queryKey: ['product', id],
    queryFn: async ({ signal }) =>
      productFrom((await call(getCounterProduct, { params: { id } }, { signal })).data),
  });
