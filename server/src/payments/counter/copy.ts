/** What shows that a shop handed a refund over at its counter; operators and the buyer read it. */
export const handedOverEvidence = (
  { name, branch }: { name: string; branch: string },
  last4: string | undefined,
): string =>
  (last4 === undefined
    ? `Entregada en ${branch} por ${name}`
    : `Devuelta en la terminal a la tarjeta ${last4}, en ${branch} por ${name}`
  ).slice(0, 300);
