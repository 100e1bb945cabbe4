import { centavosFromPesos, pesosFromCentavos } from '@aparta/contract/amount';
import { listHelpLinks, makeHelpLink, revokeHelpLink, type HelpLink as Wire } from '@aparta/contract/help';
import type { Centavos } from '@aparta/domain/money';
import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { PURCHASES } from './purchases-key.ts';

/** A link by which anybody helps to pay a purchase, as its buyer sees it. */
export type HelpLink = ReturnType<typeof readLink>;

/** The newest first. Below the key of purchases, so that help that arrives shows at once. */
export const helpLinksQuery = (purchaseId: number) =>
  queryOptions({
    queryKey: [...PURCHASES, 'help links', purchaseId],
    queryFn: async ({ signal }) =>
      (await call(listHelpLinks, { params: { saleId: purchaseId } }, { signal })).data.map(readLink),
  });

export const makingHelpLink = (queries: QueryClient, purchaseId: number) =>
  mutationOptions({
    mutationFn: async ({ message, goal }: { message: string; goal: Centavos | undefined }) =>
      (
        await call(makeHelpLink, {
          params: { saleId: purchaseId },
          body: { helpMessage: message, goal: goal === undefined ? null : pesosFromCentavos(goal) },
        })
      ).data.map(readLink),
    onSuccess: (links) => queries.setQueryData(helpLinksQuery(purchaseId).queryKey, links),
  });

export const endingHelpLink = (queries: QueryClient, purchaseId: number) =>
  mutationOptions({
    mutationFn: async (linkId: string) =>
      (await call(revokeHelpLink, { params: { saleId: purchaseId }, body: { linkId } })).data.map(readLink),
    onSuccess: (links) => queries.setQueryData(helpLinksQuery(purchaseId).queryKey, links),
  });

function readLink(wire: Wire) {
  return {
    id: wire.linkId,
    state: wire.helpState,
    /** What is shared. The code stands behind the `#`, so that no server's log has it; undefined once it has ended. */
    address: wire.helpCode === null ? undefined : `${location.origin}/ayudar#${wire.helpCode}`,
    message: wire.helpMessage,
    goal: wire.goal === null ? undefined : centavosFromPesos(wire.goal),
    expiresAt: new Date(wire.expiresAt),
    helped: centavosFromPesos(wire.helped),
    helps: wire.helps.map(({ helperName, amount, paidAt }) => ({
      name: helperName,
      amount: centavosFromPesos(amount),
      at: new Date(paidAt),
    })),
  };
}
