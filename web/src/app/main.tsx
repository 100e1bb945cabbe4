import '@aparta/ui/styles/index.css';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { takeIncomingLink } from './incoming-links.ts';
import { session } from '../session/session.ts';
import { App, loadScreen } from './routes.tsx';

const link = takeIncomingLink(new URL(location.href));
if (link) history.replaceState(null, '', link.address);

// Remove stylesheets that failed to load: Vite treats a present link as loaded, and the screen would open
// unstyled.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement) target.remove();
  },
  true,
);

const app = (
  <StrictMode>
    <BrowserRouter>
      <App problem={link?.problem} />
    </BrowserRouter>
  </StrictMode>
);

const root = document.getElementById('root') as HTMLElement;
if (root.hasAttribute('data-rendered') && isPublicPage(location.pathname)) {
  hydrateRoot(root, app);
} else {
  // React's first render replaces what the document came with.
  const ready = session.user() ? loadScreen(location.pathname) : Promise.resolve();
  void ready.then(() => createRoot(root).render(app));
}

/** Whether the prerendered HTML belongs to this address. */
function isPublicPage(path: string): boolean {
  const here = path.toLowerCase().replace(/\/+$/, '');
  return here === root.dataset.rendered;
}
