import type { Endpoint } from '@aparta/contract/endpoint';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { Refusal } from '../refusal.ts';
import { entryCookie } from './entry-cookie.ts';
import { isFromOurPage } from './own-page.ts';
import type { Posted, ServedWeb, Typed } from './web.ts';

/**
 * A public page's form, as a browser sends it where no script has run: what was typed becomes the call that the page's script
 * makes, so rules and limits are the endpoint's own.
 */
export interface PageForm {
  /** Where the page is, in the spellings that links have. */
  readonly paths: readonly [`/${string}`, ...`/${string}`[]];
  readonly endpoint: Endpoint;
  readonly body: (typed: Typed) => unknown;
  /** Fields that are never shown again. */
  readonly secret: readonly string[];
  /** Where it leads when it was done; with `session`, who is signed in from there on. */
  readonly done: (reply: unknown) => { readonly to: string; readonly session?: unknown };
}

/** What a form's answer needs of the app. */
export interface FormDoors {
  readonly web: ServedWeb;
  readonly publicOrigin: string;
  readonly secure: boolean;
  /** Lets the call in, before its body is read. */
  readonly admit: (form: PageForm, request: FastifyRequest) => void;
  readonly call: (
    form: PageForm,
    request: FastifyRequest,
    reply: FastifyReply,
    body: unknown,
  ) => Promise<unknown>;
  /** The error as its endpoint would answer it. */
  readonly refuse: (
    error: unknown,
    request: FastifyRequest,
  ) => { status: number; headers: Readonly<Record<string, string>>; body: unknown };
}

/** Answers the forms of public pages that were sent without scripts: a redirect, or the page with what is wrong. */
export async function servePageForms(
  app: FastifyInstance,
  forms: readonly PageForm[],
  { web, publicOrigin, secure, admit, call, refuse }: FormDoors,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
    );
    for (const form of forms) for (const url of form.paths) bind(scope, form, url);
  });

  function bind(scope: FastifyInstance, form: PageForm, url: string): void {
    scope.route({
      method: 'POST',
      url,
      errorHandler: (error, request, reply) => refused(form, error, request, reply),
      onRequest: async (request) => {
        admit(form, request);
        // A stranger's page that signs a visitor in as somebody else would read what they type from then on.
        const { 'sec-fetch-site': site, origin, host } = request.headers;
        if (!isFromOurPage({ site: site?.toString(), origin, host }, publicOrigin))
          throw new Refusal('UNSUPPORTED_BODY');
      },
      handler: async (request, reply) => {
        const typed = (request.body ?? {}) as Typed;
        const { to, session } = form.done(await call(form, request, reply, form.body(typed)));
        // A product's link that led here goes on.
        const reference = new URLSearchParams(request.url.split('?')[1]).get('ref');
        const leads = new URL(to, 'http://here');
        if (reference !== null) leads.searchParams.set('ref', reference);
        if (session !== undefined) reply.header('set-cookie', entryCookie(session, secure));
        return reply.header('cache-control', 'no-store').redirect(leads.pathname + leads.search, 303);
      },
    });
  }

  async function refused(
    form: PageForm,
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { status, headers, body } = refuse(error, request);
    const typed = Object.entries((request.body ?? {}) as Typed).filter(
      ([name]) => !form.secret.includes(name),
    );
    const posted: Posted = {
      path: form.paths[0].toLowerCase(),
      typed: Object.fromEntries(typed),
      status,
      retryAfter: headers['retry-after'] ?? null,
      body,
    };
    const page = await web.refusedPage(posted);
    return reply
      .code(status)
      .headers({ ...page.headers, ...headers, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(page.html);
  }
}
