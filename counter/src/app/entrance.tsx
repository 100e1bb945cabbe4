import { Logo } from '@aparta/ui/logo.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import type { ReactNode } from 'react';
import { config } from './config.ts';
import { appCopy } from './copy.ts';
import styles from './entrance.module.css';
import { useNetwork } from './use-online.ts';

/** The frame of screens for whoever is not signed in. */
export function Entrance({ children }: { children: ReactNode }) {
  const isThere = useNetwork();
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Logo name={config.productName} />
      </header>
      <main className={styles.main}>
        {!isThere && (
          <div className={styles.before}>
            <Notice tone="danger" title={appCopy.nobodyEnters.title} urgent>
              {appCopy.nobodyEnters.text}
            </Notice>
          </div>
        )}
        {children}
      </main>
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
