import type { ShopMail } from '@aparta/domain/shop-mails';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { plainPageHeaders } from './security-headers.ts';
import { unsubscribeCopy as copy } from './unsubscribe-copy.ts';
import { escapeHtml } from './web.ts';

/** What can be turned off: an owner's emails of their shop, and a buyer's reminders. */
export type Unsubscribed = ShopMail | 'reminders';

export interface Unsubscribing {
  /** The email that a code turns off; undefined for one that we did not write. */
  readonly mailOf: (code: string) => Unsubscribed | undefined;
  readonly turnOff: (code: string) => Promise<unknown>;
}

/** Where the links of emails lead (server/src/platform/email/links.ts). */
const PATH = '/correos/baja/:code';
const STYLE_PATH = '/correos/baja.css';
/** Mail programs post one short line, whose words say nothing that the link does not. */
const BODY_LIMIT_BYTES = 4 * 1024;

/**
 * The page on which somebody leaves an email, drawn without scripts. A GET changes nothing, because scanners of mail
 * open links; a POST, of its button or of a mail program (RFC 8058), turns off what the link names.
 */
export async function serveUnsubscribe(
  app: FastifyInstance,
  productName: string,
  { mailOf, turnOff }: Unsubscribing,
  within: (request: FastifyRequest, act: () => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  type Asked = FastifyRequest<{ Params: { code: string } }>;
  const send = (reply: FastifyReply, status: number, { title, body }: Page) =>
    reply
      .code(status)
      .headers({ ...plainPageHeaders("'self'"), 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(pageOf(productName, title, body));

  app.get(STYLE_PATH, (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/css; charset=utf-8').send(STYLE),
  );
  app.get(PATH, (request: Asked, reply) => {
    const mail = mailOf(request.params.code);
    return mail === undefined ? send(reply, 404, wrong()) : send(reply, 200, ask(mail));
  });
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
      (_request, _body, done) => done(null),
    );
    scope.post(PATH, async (request: Asked, reply) => {
      const mail = mailOf(request.params.code);
      if (mail === undefined) return send(reply, 404, wrong());
      await within(request, () => turnOff(request.params.code));
      return send(reply, 200, done(mail));
    });
  });
}

interface Page {
  readonly title: string;
  readonly body: string;
}

const nameOf = (mail: Unsubscribed) => escapeHtml(copy.names[mail]);
const whereOf = (mail: Unsubscribed) => (mail === 'reminders' ? copy.buyer : copy.staff);
const linkTo = ({ path, link }: typeof copy.buyer | typeof copy.staff) =>
  `<p><a href="${path}">${link}</a></p>`;
const ask = (mail: Unsubscribed): Page => ({
  title: copy.ask.title,
  body: `<p>${copy.ask.text(nameOf(mail))}</p>
<form method="post"><button name="List-Unsubscribe" value="One-Click">${copy.ask.submit}</button></form>${linkTo(whereOf(mail))}`,
});
const done = (mail: Unsubscribed): Page => ({
  title: copy.done.title,
  body: `<p>${copy.done.text(nameOf(mail), whereOf(mail).name)}</p>${linkTo(whereOf(mail))}`,
});
const wrong = (): Page => ({
  title: copy.wrong.title,
  body: `<p>${copy.wrong.text}</p>${linkTo(copy.buyer)}${linkTo(copy.staff)}`,
});

function pageOf(productName: string, title: string, body: string): string {
  return `<!doctype html>
<html lang="es-MX">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${escapeHtml(productName)}</title>
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<main>
<p class="brand">${escapeHtml(productName)}</p>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`;
}

/** The colours of ui/src/styles/tokens.css. */
const STYLE = `:root { color-scheme: light dark; --ground: #f4f1eb; --surface: #fffefc; --ink: #161a33; --action: #f58220; --edge: #b4540b; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1020; --surface: #161a2e; --ink: #f5f1e8; --action: #ff9445; --edge: #c9641a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 2rem auto; padding: 1.5rem; background: var(--surface); border-radius: 1rem; }
.brand { margin: 0; font-weight: 700; }
h1 { font-size: 1.6rem; line-height: 1.2; }
a { display: inline-block; padding-block: 0.75rem; color: inherit; }
button { width: 100%; min-height: 3rem; padding: 0.5rem 1rem; font: inherit; font-weight: 700; color: #161a33; background: var(--action);
  border: 2px solid var(--edge); border-radius: 0.75rem; cursor: pointer; }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
@media (max-width: 30rem) { main { margin: 0; border-radius: 0; min-height: 100dvh; } }
`;
