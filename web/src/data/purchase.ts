import { centavosFromPesos } from '@aparta/contract/amount';
import type { ReplyData } from '@aparta/contract/endpoint';
import {
  getSale,
  listInstalments,
  type InstalmentWithPayments as WireInstalmentWithPayments,
} from '@aparta/contract/purchases';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { purchaseStatus, STATUS_CODES } from '@aparta/domain/purchase-status';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { readInstalmentWithPayments, readPayment } from './instalments.ts';
import { PURCHASES } from './purchases-key.ts';
import { planOf, readEnding, type PurchaseDetail } from './purchases.ts';
import { readClaim } from './read-claim.ts';
import { readMoving } from './read-moving.ts';

/** A purchase with its payments, whole. */
export const purchaseQuery = (id: number) =>
  queryOptions({
    queryKey: [...PURCHASES, 'one', id],
    staleTime: 5_000,
    queryFn: async ({ signal }) => {
      const [sale, instalments] = await Promise.all([
        call(getSale, { params: { id } }, { signal }),
        call(listInstalments, { params: { saleId: id } }, { signal }),
      ]);
      return { sale: sale.data, instalments: instalments.data };
    },
    select: readDetail,
  });

function readDetail({
  sale,
  instalments,
}: {
  sale: ReplyData<typeof getSale>;
  instalments: readonly WireInstalmentWithPayments[];
}): PurchaseDetail {
  const isCancelled = sale.saleStatusId === STATUS_CODES.cancelled;
  return {
    id: sale.id,
    status: purchaseStatus({
      statusCode: sale.saleStatusId,
      instalments: sale.numCxc,
      paidInstalments: sale.numCxcPagadas,
    }),
    madeOn: mexicoCityDate(new Date(sale.saleDate)),
    merchant: sale.tradeName,
    client: sale.clientName,
    product: sale.description,
    details: sale.details,
    logoFile: sale.logofileName,
    pictures: sale.pictures,
    price: centavosFromPesos(sale.ammount),
    deposit: centavosFromPesos(sale.ammountPre),
    paid: centavosFromPesos(sale.totalPagos),
    ...planOf(
      instalments.map((each) => readInstalmentWithPayments(each, sale.numCxc, isCancelled)),
      isCancelled,
      sale,
    ),
    ending: readEnding(sale.ending),
    endDaysLate: sale.endDaysLate,
    moving: readMoving(sale.moving),
    merchantId: sale.businessId,
    isDelivered: sale.delivered,
    deliverBy: sale.deliverBy ?? undefined,
    mayClaim: sale.mayClaim,
    claim: readClaim(sale.claim),
    cancelled:
      sale.cancelDate === null
        ? undefined
        : {
            on: mexicoCityDate(new Date(sale.cancelDate)),
            reason: sale.cancelNotes,
            by: sale.endedBy ?? 'buyer',
          },
    hasRefunds: sale.hasRefunds,
    isInvoicedHere: sale.invoicedHere,
    takenBack: sale.takenBack.map(readPayment),
    bill: sale.cancelBill
      ? {
          paid: centavosFromPesos(sale.cancelBill.paid),
          penalty: centavosFromPesos(sale.cancelBill.penalty),
          feesReturned: centavosFromPesos(sale.cancelBill.feesReturned),
          feesKept: centavosFromPesos(sale.cancelBill.feesKept),
          refund: centavosFromPesos(sale.cancelBill.refund),
        }
      : undefined,
    kept: sale.kept
      ? {
          branch: sale.kept.branch,
          since: mexicoCityDate(new Date(sale.kept.since)),
          checked: sale.kept.checkedAt === null ? undefined : mexicoCityDate(new Date(sale.kept.checkedAt)),
        }
      : undefined,
  };
}
