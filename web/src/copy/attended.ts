import type { LineItem } from '@aparta/ui/line-items.tsx';

/** Who took a payment, and in which branch: 'Te atendió: Laura P. en Sucursal Centro', as far as that is known. */
export function attendedRows(
  receipt: { takenBy: string | undefined; branch: string | undefined } | undefined,
): LineItem[] {
  const { takenBy, branch } = receipt ?? {};
  if (branch === undefined) return [];
  const place = /^sucursal\b/i.test(branch) ? branch : `Sucursal ${branch}`;
  return [
    takenBy === undefined
      ? { label: 'Dónde', text: place }
      : { label: 'Te atendió', text: `${takenBy} en ${place}` },
  ];
}
