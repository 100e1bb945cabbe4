import { Chip } from '@aparta/ui/chip.tsx';

/** Texts of a payment whose money all went back, or whose purchase is cancelled. */
export const undoneCopy = {
  undone: 'Este pago ya no cuenta',
  back: 'Devuelto',
  goingBack: 'En devolución',
  isCancelled: 'Esta compra se canceló',
  cancelled: 'Esta compra se canceló: no te falta ningún pago.',
  nothingLeft: 'No te falta ningún pago.',
  refunded: 'Devolución',
} as const;

interface Undone {
  readonly isWhole: boolean;
  readonly isBack: boolean | undefined;
  readonly isOver: boolean;
}

/** What a payment's screen says in place of its title and the line below. */
export function undoneHead({ isWhole, isOver }: Undone): { title: string; text: string | undefined } {
  if (!isWhole) return { title: undoneCopy.isCancelled, text: undoneCopy.nothingLeft };
  return { title: undoneCopy.undone, text: isOver ? undoneCopy.cancelled : undefined };
}

/** In place of the stamp. */
export function UndoneBadge({ undone: { isWhole, isBack } }: { undone: Undone }) {
  if (!isWhole) return <Chip state="cancelled" />;
  if (isBack === undefined) return null;
  return isBack ? (
    <Chip state="cancelled" text={undoneCopy.back} />
  ) : (
    <Chip state="confirming" text={undoneCopy.goingBack} />
  );
}
