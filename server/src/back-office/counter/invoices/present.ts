import { pesosFromCentavos } from '@aparta/contract/amount';
import type { PaidInstalment } from '@aparta/contract/counter-invoices';
import { shortName } from '@aparta/domain/short-name';

import type { InvoiceSums, PaidInstalmentRow } from './invoices.read-model.ts';
import { showsFolio, standingOf } from './standing.ts';

export function presentPaidInstalment(row: PaidInstalmentRow): PaidInstalment {
  const { id, purchaseId, productName, number, of, paidAt, receiptFolio, group, invoice } = row;
  const { paymentForm, asking, until, state, reason } = standingOf(row);
  return {
    id,
    purchaseId,
    productName,
    buyer: shortName(row.buyerName ?? ''),
    number,
    of,
    paidAt: paidAt.toISOString(),
    receiptFolio,
    amount: pesosFromCentavos(row.amountCentavos),
    paymentForm,
    group,
    asking,
    until,
    invoice:
      invoice === null || state === null
        ? null
        : {
            id: invoice.id,
            state,
            rfc: invoice.rfc,
            reason,
            ...(showsFolio(invoice)
              ? { fiscalFolio: invoice.fiscalFolio, folio: invoice.folio }
              : { fiscalFolio: null, folio: '' }),
            issuedAt: invoice.issuedAt === null ? null : new Date(invoice.issuedAt).toISOString(),
            hasPdf: showsFolio(invoice) && invoice.hasPdf,
            hasXml: showsFolio(invoice) && invoice.hasXml,
          },
    cancelled: [...row.cancelled],
  };
}

export function presentInvoiceSums(sums: InvoiceSums) {
  const figure = ({ amountCentavos, count }: InvoiceSums['all']) => ({
    amount: pesosFromCentavos(amountCentavos),
    count,
  });
  const { all, invoiced, in_process, not_invoiced, ended } = sums;
  return {
    all: figure(all),
    invoiced: figure(invoiced),
    in_process: figure(in_process),
    not_invoiced: figure(not_invoiced),
    ended: figure(ended),
  };
}
