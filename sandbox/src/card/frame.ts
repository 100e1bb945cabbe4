import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { type Acquirer, refuse } from './acquirer.ts';
import { createToken } from './charges.ts';
import { isCardNumber } from './cards.ts';

type Deps = { acquirer: Acquirer; origins: { product: string } };

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

const cardData = v.object({
  apiKey: v.string(),
  number: v.pipe(v.string(), v.check(isCardNumber)),
  holder: v.pipe(v.string(), v.nonEmpty()),
  cvv: v.pipe(v.string(), v.regex(/^\d{3,4}$/)),
  month: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(12)),
  year: v.pipe(v.number(), v.integer()),
});

/** The card element on its own origin: the page, its two files, and the tokens that it asks for. */
export function mountCardFrame(app: FastifyInstance, { acquirer, origins }: Deps): void {
  const page = read('./frame.html');
  const style = read('./frame.css');
  const script = read('./frame.js');

  app.get('/elements/card', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
          `base-uri 'none'; form-action 'none'; frame-ancestors ${origins.product}`,
      )
      .header('cache-control', 'no-store')
      .send(page.replace('__PARENT_ORIGIN__', origins.product)),
  );
  app.get('/elements/frame.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
  app.get('/elements/frame.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(script),
  );

  app.post('/tokens', (request, reply) => {
    const card = v.safeParse(cardData, request.body);
    const known = card.success && acquirer.merchants.get(card.output.apiKey) !== undefined;
    if (!card.success || !known) {
      const answer = card.success ? refuse(401, 'CL1500') : refuse(400, 'CL2290');
      return reply.code(answer.status).send(answer.body);
    }
    return reply.code(201).send({ id: createToken(acquirer, card.output).id });
  });
}
