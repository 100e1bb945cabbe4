import '@aparta/ui/styles/index.css';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { takeIncomingLink } from './incoming-links.ts';
import { session } from '../session/session.ts';
import { App, loadScreen } from './routes.tsx';

const shown = takeIncomingLink(new URL(location.href));
if (shown !== undefined) history.replaceState(null, '', shown);

// A stylesheet that did not come must go: Vite takes one whose link is there for loaded, and the screen would open bare.
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
      <App />
    </BrowserRouter>
  </StrictMode>
);

const root = document.getElementById('root') as HTMLElement;
if (root.hasAttribute('data-rendered') && isPublicPage(location.pathname)) {
  hydrateRoot(root, app);
} else {
  // The first thing that React draws takes the place of what the document came with.
  const ready = session.user() ? loadScreen(location.pathname) : Promise.resolve();
  void ready.then(() => createRoot(root).render(app));
}

/** Whether the HTML that came with the document is still that of its address. */
function isPublicPage(path: string): boolean {
  const here = path.toLowerCase().replace(/\/+$/, '');
  return here === root.dataset.rendered;
}
