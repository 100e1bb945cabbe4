import { Suspense, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { AppLink } from './app-link.tsx';
import { Broken } from './broken.tsx';
import { Button } from './button.tsx';
import { partsCopy } from './parts-copy.ts';
import { Icon, type IconName } from './icon.tsx';
import { Logo } from './logo.tsx';
import { Page } from './page.tsx';
import { SkeletonBlock, Skeleton } from './skeleton.tsx';
import styles from './shell.module.css';

export type NavEntry = {
  to: string;
  icon: IconName;
  label: string;
  /** Screens below this entry that have none of their own. */
  holds?: RegExp;
  /** For a style of the application: shown on a phone alone, where there is little room, or everywhere else. */
  only?: 'phone' | 'desk' | undefined;
  onIntent?: () => void;
};

/**
 * The frame of every signed-in screen: top bar and bottom tabs on a phone, a rail from 768 px, a side bar
 * from 1024 px. On a phone a `Flow` replaces the tabs.
 */
export function Shell({
  productName,
  home,
  entries,
  reload = false,
  name,
  logout,
  onLogout,
  broken,
  children,
}: {
  productName: string;
  /** Where the mark leads. */
  home: string;
  entries: readonly NavEntry[];
  /** The screen is a document of its own, and is left by a page load. */
  reload?: boolean;
  /** Who is signed in. */
  name: string;
  /** The label of the button that signs out. */
  logout: string;
  onLogout: () => void;
  /** What it says of a screen that did not come, in place of a buyer's words. */
  broken?: string;
  children: ReactNode;
}) {
  const [pathname] = useLocation();
  return (
    <div className={styles.app}>
      <a className={styles.skip} href="#contenido">
        {partsCopy.skip}
      </a>
      <header className={styles.chrome}>
        <AppLink to={home} reload={reload} className={styles.brand}>
          <Logo name={productName} />
        </AppLink>
        <nav className={styles.tabs} aria-label={partsCopy.mainNavigation}>
          {entries.map(({ to, icon, label, holds, only, onIntent }) => (
            <AppLink
              key={to}
              to={to}
              reload={reload}
              className={styles.tab}
              data-only={only}
              aria-current={
                pathname.toLowerCase() === to.toLowerCase() ? 'page' : holds?.test(pathname) || undefined
              }
              {...(onIntent && { onPointerEnter: onIntent, onTouchStart: onIntent, onFocus: onIntent })}
            >
              <Icon name={icon} />
              <span>{label}</span>
            </AppLink>
          ))}
        </nav>
        <div className={styles.session}>
          <span className={styles.name}>
            <span className={styles.initial} aria-hidden="true">
              {name.charAt(0).toLocaleUpperCase('es-MX')}
            </span>
            <span>{name}</span>
          </span>
          <Button variant="quiet" small onClick={onLogout}>
            {logout}
          </Button>
        </div>
      </header>
      <main id="contenido" className={styles.main} tabIndex={-1}>
        <Broken at={pathname} text={broken}>
          <Suspense fallback={<Loading />}>{children}</Suspense>
        </Broken>
      </main>
    </div>
  );
}

/**
 * The frame without reader or entries, around what the screen shows first if that is known: the HTML of a signed-in document
 * until scripts have run. Must also be right for visitors who have to sign in first.
 */
export function EmptyShell({
  productName,
  children = <Loading />,
}: {
  productName: string;
  children?: ReactNode;
}) {
  return (
    <div className={styles.app}>
      <header className={styles.chrome}>
        <span className={styles.brand}>
          <Logo name={productName} />
        </span>
      </header>
      {/* Nothing in it works yet. */}
      <main inert>{children}</main>
    </div>
  );
}

/** Shown while a screen's code loads: the shape that most screens share. */
function Loading() {
  return (
    <Page>
      <Skeleton label={partsCopy.loadingScreen}>
        <SkeletonBlock shape="title" width="half" />
        <SkeletonBlock width="most" />
        <SkeletonBlock shape="control" />
      </Skeleton>
    </Page>
  );
}
