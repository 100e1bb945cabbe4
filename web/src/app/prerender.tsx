import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { accountCopy } from '../account/copy.ts';
import { confirmCopy } from '../account/confirm-copy.ts';
import { legalCopy } from '../account/legal-copy.ts';
import { passwordCopy } from '../account/password-copy.ts';
import { EmptyPage } from '../account/public-page.tsx';
import { config } from './config.ts';
import { paths } from './paths.ts';
import { App, loadPublicPages } from './routes.tsx';
import { EmptyShell } from './shell.tsx';

/** A prerendered page and its file. */
export type RenderedPage = { file: string; path: string; title: string; html: string };

/** The public pages in their initial state. */
export async function renderPublicPages(): Promise<RenderedPage[]> {
  await loadPublicPages();
  return [
    page('login.html', paths.login, accountCopy.signIn.title),
    page('buyerRegister.html', paths.register, accountCopy.register.title),
    page('resetyourpassword.html', paths.forgotPassword, passwordCopy.forgot.title),
    page('changeyourpassword.html', paths.changePassword, passwordCopy.change.title),
    page('confirmarCorreo.html', paths.confirmEmail, confirmCopy.title),
    page('terminos.html', paths.terms, legalCopy.terms.title),
    page('privacidad.html', paths.privacy, legalCopy.privacy.title),
  ];
}

function page(file: string, path: string, title: string): RenderedPage {
  const html = renderToString(
    <StrictMode>
      <StaticRouter location={path}>
        <App />
      </StaticRouter>
    </StrictMode>,
  );
  return { file, path: path.toLowerCase(), title: `${title} · ${config.productName}`, html };
}

/** A document shared by signed-in screens, by the first segment of their path, and the modules they load. */
export type RenderedFrame = { file: string; modules: string[]; html: string };

/** The modules of every signed-in screen but Home: its address is also where signed-out visitors arrive. */
export const documents = {
  dashboard: 'src/purchases/dashboard-page.tsx',
  clientEdit: 'src/account/profile-page.tsx',
  apartado: 'src/layaway/layaway-page.tsx',
  codigo: 'src/layaway/barcode-page.tsx',
  cxcList: 'src/purchases/purchases-page.tsx',
  saleCxcList: 'src/purchases/purchases-page.tsx',
  recibo: 'src/purchases/receipt-page.tsx',
  onSitePaymentByTapi: 'src/cash/store-payment-page.tsx',
  pullapartByClip: 'src/payments/layaway-payment-page.tsx',
  threeDSByclipPA: 'src/payments/layaway-payment-page.tsx',
  paymentByClib: 'src/payments/instalment-payment-page.tsx',
  threeDSByclib: 'src/payments/instalment-payment-page.tsx',
};

/**
 * The documents of signed-in screens, with only the frame rendered. Home's address has the mark
 * alone: who scans a product for the first time arrives there.
 */
export function renderFrames(): RenderedFrame[] {
  const html = renderToString(<EmptyShell />);
  return [
    { file: 'index.html', modules: [], html: renderToString(<EmptyPage />) },
    ...Object.entries(documents).map(([segment, screen]) => ({
      file: `${segment}.html`,
      modules: ['src/app/signed-in.tsx', screen],
      html,
    })),
  ];
}
