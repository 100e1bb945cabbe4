import {
  listShopInvoices,
  saveInvoiceFile,
  type PaidInstalment as Wire,
} from '@aparta/contract/counter-invoices';
import type { InvoiceShow } from '@aparta/domain/shop-lists';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { fileFrom } from './file.ts';
import { sum } from './sum.ts';

/** A month, `YYYY-MM`, and which of what was paid in it. */
export interface InvoicesOf {
  readonly month: string;
  readonly show: InvoiceShow;
}

/** An instalment that was paid whole, with its invoice. */
export type PaidInstalment = ReturnType<typeof instalmentFrom>;
const instalmentFrom = (wire: Wire) => ({ ...wire, amount: sum(wire.amount), paidAt: new Date(wire.paidAt) });
const figureFrom = (wire: { readonly amount: number; readonly count: number }) => ({
  ...wire,
  amount: sum(wire.amount),
});

/** What was paid in a month, page by page. */
export const invoicesQuery = ({ month, show }: InvoicesOf) =>
  infiniteQueryOptions({
    queryKey: ['invoices', month, show],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { month, show, ...(pageParam !== undefined && { cursor: pageParam }) };
      const { data } = await call(listShopInvoices, { query }, { signal });
      return {
        instalments: data.instalments.map(instalmentFrom),
        next: data.next ?? undefined,
        sums: data.sums && {
          all: figureFrom(data.sums.all),
          invoiced: figureFrom(data.sums.invoiced),
          in_process: figureFrom(data.sums.in_process),
          not_invoiced: figureFrom(data.sums.not_invoiced),
          ended: figureFrom(data.sums.ended),
        },
      };
    },
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => ({
      instalments: pages.flatMap(({ instalments }) => instalments),
      sums: pages[0]?.sums ?? null,
    }),
  });

const TYPES = { pdf: 'application/pdf', xml: 'application/xml' } as const;

/** A file of an invoice that was issued. */
export async function invoiceFile(id: number, format: keyof typeof TYPES): Promise<File> {
  const { data } = await call(saveInvoiceFile, { params: { invoiceId: String(id) }, body: { format } });
  return fileFrom(data, TYPES[format]);
}
