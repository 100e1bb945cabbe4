import '@aparta/ui/styles/index.css';
import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { postedHere, readBlock, takeBlock } from './blocks.ts';
import type { TakenLink } from './incoming-links.ts';
import { isOwnDocument } from './paths.ts';
import { ended } from '../session/ended.ts';
import { session } from '../session/session.ts';
import { App, loadScreen } from './routes.tsx';

/** Whoever signed in by a form that was sent before scripts had run goes on as they would have. */
function enter(): string | undefined {
  if (!session.enter(takeBlock('aparta-entry'))) return undefined;
  const back = session.takeReturn();
  if (back !== undefined && !isOwnDocument(back)) history.replaceState(null, '', back);
  return back;
}

/** Most come by no such link: its reader is loaded for those who do. Without it the address stays as it is. */
function incomingLink(): Promise<TakenLink | undefined> | undefined {
  if (!/[?&](ref|refChangePass)=|#.*code=/.test(location.href)) return undefined;
  return import('./incoming-links.ts').then(
    ({ takeIncomingLink }) => takeIncomingLink(new URL(location.href)),
    () => undefined,
  );
}

async function start(): Promise<void> {
  const back = enter();
  if (back !== undefined && isOwnDocument(back)) return location.replace(back);
  const link = await incomingLink();
  if (link) history.replaceState(null, '', link.address);
  const posted = await postedHere();
  const app = (
    <StrictMode>
      <App problem={link?.problem} posted={posted} legal={readBlock('aparta-legal')} />
    </StrictMode>
  );
  const root = document.getElementById('root') as HTMLElement;
  const isPublic = root.hasAttribute('data-rendered') && isPublicPage(location.pathname, root);
  const resuming =
    session.kept() && !session.user()
      ? import('../api/kept.ts').then(
          ({ resume }) => resume(isPublic),
          () => {},
        )
      : undefined;
  if (!isPublic && (session.user() || session.stays()))
    await Promise.all([resuming, loadScreen(location.pathname)]);
  // A transition may be interrupted: a slow phone answers meanwhile.
  startTransition(() => {
    if (isPublic) hydrateRoot(root, app);
    // React's first render replaces what the document came with.
    else createRoot(root).render(app);
  });
  if (ended.all().length > 0)
    void import('../data/end-later.ts').then(({ endLater }) => endLater()).catch(() => {});
}

void start();

/** Whether the prerendered HTML belongs to this address. */
function isPublicPage(path: string, root: HTMLElement): boolean {
  const here = path.toLowerCase().replace(/\/+$/, '');
  return here === root.dataset.rendered;
}
