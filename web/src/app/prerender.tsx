import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { accountCopy } from '../account/copy.ts';
import { passwordCopy } from '../account/password-copy.ts';
import { config } from './config.ts';
import { paths } from './paths.ts';
import { App, loadPublicPages } from './routes.tsx';

/** A page whose HTML is made at build, and the file it goes into. */
export type RenderedPage = { file: string; path: string; title: string; html: string };

/** The public pages, as they look before anybody has done anything. */
export async function renderPublicPages(): Promise<RenderedPage[]> {
  await loadPublicPages();
  return [
    page('login.html', paths.login, accountCopy.signIn.title),
    page('buyerRegister.html', paths.register, accountCopy.register.title),
    page('resetyourpassword.html', paths.forgotPassword, passwordCopy.forgot.title),
    page('changeyourpassword.html', paths.changePassword, passwordCopy.change.title),
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
