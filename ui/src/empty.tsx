import type { ReactNode } from 'react';
import { Drawing } from './drawing.tsx';
import emptyShelf from './drawings/empty-shelf.svg?raw';
import styles from './empty.module.css';

/** Empty state: a drawing, what to do, and the button that does it. */
export function Empty({
  text,
  drawing = emptyShelf,
  children,
}: {
  text: string;
  drawing?: string;
  children?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <Drawing svg={drawing} />
      <p>{text}</p>
      {children}
    </div>
  );
}
