import type { Buyer, Instalment, Shop } from './shop.ts';

/** The day of an instalment, or so many days later. */
export function later({ fechaVencimiento }: Pick<Instalment, 'fechaVencimiento'>, days: number): string {
  const at = Date.parse(`${fechaVencimiento}T00:00:00Z`) + days * 86_400_000;
  return new Date(at).toISOString().slice(0, 10);
}

/** Changes a plan as its buyer does: moves an instalment, or splits it where a first part is named. */
export async function changePlan(
  shop: Shop,
  buyer: Buyer,
  { ventaId, identificador, fechaVencimiento, valor }: Instalment,
  given: { toDay: string; changeNumber?: number; firstPart?: number },
): Promise<void> {
  const call = given.firstPart === undefined ? 'MoveInstalmentAsync' : 'SplitInstalmentAsync';
  const shown = { number: identificador, fromDay: fechaVencimiento, amount: valor };
  const { status, body } = await shop.ask(`PUT /v1/Sales/${call}/${ventaId}`, {
    token: buyer.token,
    body: { changeNumber: 1, ...shown, ...given },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
}
