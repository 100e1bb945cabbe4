import '@aparta/ui/styles/index.css';
import '@aparta/ui/more-icons.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './routes.tsx';

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
