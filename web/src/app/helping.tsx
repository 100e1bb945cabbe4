import '@aparta/ui/styles/index.css';
import '@aparta/ui/more-icons.ts';
import { AlertHost } from '@aparta/ui/alert.tsx';
import { Broken } from '@aparta/ui/broken.tsx';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import HelpingPage from '../payments/helping/helping-page.tsx';

// Of a help link's document, which is built apart (`build/apart.ts`): it brings nothing of the buyers' application, and nothing
// that knows of a session.
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Broken>
      <AlertHost>
        <HelpingPage />
      </AlertHost>
    </Broken>
  </StrictMode>,
);
