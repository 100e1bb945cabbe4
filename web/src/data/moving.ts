import { pesosFromCentavos } from '@aparta/contract/amount';
import { moveInstalment, splitInstalment } from '@aparta/contract/moving';
import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { refreshPurchases } from './purchases-key.ts';

/** A change with the plan that was shown. */
export type AskedChange = {
  /** The one after the last that was shown: repeated, it is made once. */
  sequence: number;
  number: number;
  fromDay: DateOnly;
  amount: Centavos;
  toDay: DateOnly;
  /** What stays on its day of one that is split; undefined: it is moved. */
  first: Centavos | undefined;
};

/** Moves or splits an instalment, then refreshes what shows plans in any case. */
export const changingPlan = (queries: QueryClient, purchaseId: number) =>
  mutationOptions({
    mutationFn: ({ sequence, amount, first, ...change }: AskedChange) => {
      const params = { saleId: purchaseId };
      const body = { ...change, changeNumber: sequence, amount: pesosFromCentavos(amount) };
      return first === undefined
        ? call(moveInstalment, { params, body })
        : call(splitInstalment, { params, body: { ...body, firstPart: pesosFromCentavos(first) } });
    },
    onSettled: () => refreshPurchases(queries),
  });
