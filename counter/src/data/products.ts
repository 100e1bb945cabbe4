import {
  addCounterProduct,
  editCounterProduct,
  getCounterProduct,
  getPlanTerms,
  listProducts,
  setOnSale,
  setProductPicture,
  setUnits,
  stopCounting,
  type CounterProduct,
  type CounterProductEntry,
} from '@aparta/contract/counter-products';
import { centavosToPesos, type Centavos } from '@aparta/domain/money';
import type { PlanTerms } from '@aparta/domain/plan';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { sum } from './sum.ts';

export type Product = ReturnType<typeof productFrom>;

/** What is said of a product that is added or changed. */
export type Entry = Omit<CounterProductEntry, 'price'> & { readonly price: Centavos };

/** Which products: on sale, or taken off it. */
export type ProductShow = 'on_sale' | 'withdrawn';

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

/** The merchant's products, a page at a time; `search` is a part of the name, or of the code. */
export const productsQuery = (show: ProductShow, search: string) =>
  infiniteQueryOptions({
    queryKey: ['products', show, search],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        show,
        ...(search !== '' && { search }),
        ...(pageParam !== '' && { cursor: pageParam }),
      };
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

/** The merchant's plan, but for the price. */
export type Terms = Omit<PlanTerms, 'priceCentavos'>;

export const planTermsQuery = queryOptions({
  queryKey: ['plan-terms'],
  queryFn: async ({ signal }): Promise<Terms> => {
    const { depositPercent, everyDays, durationDays } = (await call(getPlanTerms, {}, { signal })).data;
    return {
      depositBasisPoints: Math.round(depositPercent * 100),
      frequencyDays: everyDays,
      durationDays,
    };
  },
});

const bodyOf = (entry: Entry): CounterProductEntry => ({ ...entry, price: centavosToPesos(entry.price) });

/** Adds a product. One press is one product: sent again, it answers the one that the first time added. */
export async function addProduct(pressId: string, entry: Entry): Promise<Product> {
  return productFrom((await call(addCounterProduct, { body: { pressId, ...bodyOf(entry) } })).data);
}

/** Changes a product that was read at a version. */
export async function editProduct(id: number, version: number, entry: Entry): Promise<Product> {
  const body = { version, ...bodyOf(entry) };
  return productFrom((await call(editCounterProduct, { params: { id }, body })).data);
}

/** Takes a product off sale, or puts it back. */
export async function putOnSale(id: number, onSale: boolean): Promise<Product> {
  return productFrom((await call(setOnSale, { params: { id }, body: { onSale } })).data);
}

/** Says how many units a branch has for sale, over how many were shown; from then on the product is counted. */
export async function saveUnits(
  id: number,
  body: { readonly branchId: number; readonly free: number; readonly was: number },
): Promise<Product> {
  return productFrom((await call(setUnits, { params: { id }, body })).data);
}

/** It is never sold out again. */
export async function stopCountingUnits(id: number): Promise<Product> {
  return productFrom((await call(stopCounting, { params: { id } })).data);
}

/** Gives a product another picture, as base64, or none. A photo on a slow line takes its time. */
export async function putPicture(id: number, picture: string | null): Promise<Product> {
  const input = { params: { id }, body: { picture } };
  return productFrom((await call(setProductPicture, input, { timeoutMs: 60_000 })).data);
}
