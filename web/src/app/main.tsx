import '@aparta/ui/styles/index.css';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { takeIncomingLink } from './incoming-links.ts';
import { session } from '../session/session.ts';
import { App, loadScreen } from './routes.tsx';

// Remove stylesheets that failed to load: Vite treats a present link as loaded, and the screen would open
// unstyled.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement) target.remove();
  },
  true,
);

async function start(): Promise<void> {
  const link = await takeIncomingLink(new URL(location.href));
  if (link) history.replaceState(null, '', link.address);
  const app = (
    <StrictMode>
      <BrowserRouter>
        <App problem={link?.problem} />
      </BrowserRouter>
    </StrictMode>
  );
  const root = document.getElementById('root') as HTMLElement;
  if (root.hasAttribute('data-rendered') && isPublicPage(location.pathname, root)) {
    hydrateRoot(root, app);
    return;
  }
  // React's first render replaces what the document came with.
  if (session.user()) await loadScreen(location.pathname);
  createRoot(root).render(app);
}

void start();

/** Whether the prerendered HTML belongs to this address. */
function isPublicPage(path: string, root: HTMLElement): boolean {
  const here = path.toLowerCase().replace(/\/+$/, '');
  return here === root.dataset.rendered;
}
