import { Logo } from '@aparta/ui/logo.tsx';
import text from '@aparta/ui/text.module.css';
import type { ReactNode } from 'react';
import { config } from './config.ts';
import styles from './entrance.module.css';

/** The frame of screens for whoever is not signed in. */
export function Entrance({ children }: { children: ReactNode }) {
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Logo name={config.productName} />
      </header>
      <main className={styles.main}>{children}</main>
    </div>
  );
}

export function EntranceHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <>
      <h1 tabIndex={-1}>{title}</h1>
      {children && <p className={text.muted}>{children}</p>}
    </>
  );
}

/** Things to choose from. */
export function Choices({ children }: { children: ReactNode }) {
  return <div className={styles.choices}>{children}</div>;
}
