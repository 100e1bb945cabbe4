import '@aparta/ui/more-icons.ts';
import { AlertHost } from '@aparta/ui/alert.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { Router } from 'wouter';
import { accountCopy } from '../account/copy.ts';
import { confirmCopy } from '../account/confirm-copy.ts';
import { legalCopy } from '../account/legal-copy.ts';
import { passwordCopy } from '../account/password-copy.ts';
import { registerCopy } from '../account/register-copy.ts';
import { bringShelf, EmptyPage } from '../account/public-page.tsx';
import shelf from '@aparta/ui/drawings/shelf.svg?raw';
import { openCache } from '@aparta/browser/query-cache.ts';
import { PurchaseListPart } from '../purchases/list-later.ts';
import { Purchases } from '../purchases/purchases-page.tsx';
import { STATEMENT } from '../purchases/statement-link.ts';
import LayawayPage, { loadLayaway } from '../layaway/layaway-page.tsx';
import { NoNetwork } from './no-network.tsx';
import { HelpingFrame, Loading as HelpingLoading } from '../payments/helping/helping-page.tsx';
import { asPosted, type Answered, type PostedHere } from './posted.ts';
import { config } from './config.ts';
import { paths } from './paths.ts';
import { App, loadPublicPages } from './routes.tsx';
import { EmptyShell } from '@aparta/ui/shell.tsx';

bringShelf(shelf);
await Promise.all([PurchaseListPart.load(), loadLayaway()]);

/** A prerendered page and its file, and the modules that it loads beside the app. */
export type RenderedPage = { file: string; path: string; title: string; html: string; modules: string[] };

/** The public pages in their initial state. */
export async function renderPublicPages(): Promise<RenderedPage[]> {
  await loadPublicPages();
  return [
    page('login.html', paths.login, accountCopy.signIn.title),
    // What a form that was sent without scripts leads to (rules/accounts#without-scripts).
    page('login.registro.html', `${paths.login}?aviso=registro`, accountCopy.signIn.title),
    page('login.correo.html', `${paths.login}?aviso=correo`, accountCopy.signIn.title),
    page('buyerRegister.html', paths.register, registerCopy.title, 'register'),
    page('resetyourpassword.html', paths.forgotPassword, passwordCopy.forgot.title, 'forgot-password'),
    page('changeyourpassword.html', paths.changePassword, passwordCopy.change.title, 'change-password'),
    page('confirmarCorreo.html', paths.confirmEmail, confirmCopy.title, 'confirm-email'),
    page('terminos.html', paths.terms, legalCopy.terms.title, 'legal'),
    page('privacidad.html', paths.privacy, legalCopy.privacy.title, 'legal'),
  ];
}

/** `screen`: the name of its module, unless the first load has it. */
function page(file: string, address: string, title: string, screen?: string): RenderedPage {
  const path = new URL(address, 'http://here').pathname.toLowerCase();
  const modules = screen === undefined ? [] : [`src/account/${screen}-page.tsx`];
  return { file, path, title: `${title} · ${config.productName}`, html: render(address), modules };
}

/** A page with the text that the database has for it, a reply of getLegalText; the server asks for it. */
export async function renderLegal(path: string, block: unknown): Promise<string> {
  await loadPublicPages();
  return render(path, undefined, block);
}

/** A public page as it answers a form that was refused; the server asks for it. */
export async function renderRefused(answered: Answered): Promise<string> {
  await loadPublicPages();
  return render(answered.path, await asPosted(answered));
}

function render(address: string, posted?: PostedHere, legal?: unknown): string {
  return renderToString(
    <StrictMode>
      <App at={address} posted={posted} legal={legal} />
    </StrictMode>,
  );
}

/**
 * A document shared by signed-in screens, by the first segment of their path, and the modules they load. `opensCards`: the
 * provider's script comes beside them. `isStill`: no script runs in it.
 */
export type RenderedFrame = {
  file: string;
  modules: string[];
  html: string;
  opensCards?: boolean;
  isStill?: boolean;
};

/** What is loaded later elsewhere, of the documents that begin with it. */
const AT_ONCE: Readonly<Record<string, readonly string[]>> = {
  apartado: ['src/layaway/reference-step.tsx'],
  cxcList: ['src/purchases/purchase-list.tsx'],
  saleCxcList: ['src/purchases/purchase-detail.tsx'],
  clientEdit: ['src/account/general-tab.tsx'],
  threeDSByclipPA: ['src/payments/after-form.tsx'],
  threeDSByclib: ['src/payments/after-form.tsx'],
};

/** The modules of every signed-in screen but Home: its address is also where signed-out visitors arrive. */
export const documents = {
  dashboard: 'src/purchases/dashboard-page.tsx',
  clientEdit: 'src/app/profile-page.tsx',
  actividad: 'src/account/activity-page.tsx',
  apartado: 'src/layaway/layaway-page.tsx',
  codigo: 'src/layaway/barcode-page.tsx',
  cxcList: 'src/app/purchases-page.tsx',
  saleCxcList: 'src/app/purchases-page.tsx',
  recibo: 'src/purchases/receipt-page.tsx',
  onSitePaymentByTapi: 'src/cash/store-payment-page.tsx',
  pullapartByClip: 'src/payments/layaway-payment-page.tsx',
  threeDSByclipPA: 'src/payments/layaway-payment-page.tsx',
  paymentByClib: 'src/payments/instalment-payment-page.tsx',
  threeDSByclib: 'src/payments/instalment-payment-page.tsx',
};

/**
 * The documents of signed-in screens, with only the frame rendered, and what needs nothing of its buyer. Home's address has the mark alone: who scans a product for the first time arrives there.
 */
export function renderFrames(): RenderedFrame[] {
  const html = renderToString(<EmptyShell productName={config.productName} />);
  return [
    { file: 'index.html', modules: [], html: renderToString(<EmptyPage />) },
    ...Object.entries(documents).map(([segment, screen]) => ({
      file: `${segment}.html`,
      modules: ['src/app/signed-in.tsx', screen, ...(AT_ONCE[segment] ?? [])],
      opensCards: /^(pullapart|payment)By/.test(segment),
      html: AS_IT_BEGINS[segment]?.() ?? html,
    })),
    {
      file: 'apartado.paso.html',
      modules: [
        'src/app/signed-in.tsx',
        documents.apartado,
        'src/layaway/information-step.tsx',
        'src/layaway/payment-step.tsx',
      ],
      html,
    },
    {
      file: 'clientEdit.parte.html',
      modules: ['src/app/signed-in.tsx', documents.clientEdit, 'src/invoices/fiscal-data.tsx'],
      html,
    },
    ...['filtro', STATEMENT].map((query) => ({
      file: `cxcList.${query}.html`,
      modules: [
        'src/app/signed-in.tsx',
        documents.cxcList,
        ...(query === STATEMENT ? [] : (AT_ONCE.cxcList ?? [])),
      ],
      html,
    })),
    { file: 'sin-internet.html', modules: [], isStill: true, html: renderToString(<NoNetwork />) },
  ];
}

/** What two screens begin with needs nothing of their buyer: it is painted before any script has run. */
const AS_IT_BEGINS: Readonly<Record<string, () => string>> = {
  apartado: () => renderScreen(paths.layaway, <LayawayPage />),
  cxcList: () => renderScreen(paths.purchases, <Purchases buyerId={0} invoice={() => null} />),
};

function renderScreen(at: string, screen: ReactNode): string {
  return renderToString(
    <Router ssrPath={at}>
      <AlertHost>
        <QueryClientProvider client={openCache()}>
          <EmptyShell productName={config.productName}>{screen}</EmptyShell>
        </QueryClientProvider>
      </AlertHost>
    </Router>,
  );
}

/** What a help link's document shows until its scripts have run. */
export function renderHelping(): string {
  return renderToString(
    <HelpingFrame>
      <HelpingLoading />
    </HelpingFrame>,
  );
}
