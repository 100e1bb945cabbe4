/** What shows that a shop handed a refund over at its counter; operators and the buyer read it. */
export const handedOverEvidence = ({ name, branch }: { name: string; branch: string }): string =>
  `Entregada en ${branch} por ${name}`.slice(0, 300);
