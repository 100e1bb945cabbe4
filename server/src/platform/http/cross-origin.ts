import type { FastifyInstance } from 'fastify';

/** Lets browsers on exactly these origins call the API. No cookies are involved, so no credentials are allowed either. */
export function allowCrossOrigin(app: FastifyInstance, origins: readonly string[]): void {
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    reply.header('vary', 'Origin');
    if (origin === undefined || !origins.includes(origin)) return;
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'X-Request-Id, Retry-After',
      'cross-origin-resource-policy': 'cross-origin',
    });
    if (request.method !== 'OPTIONS') return;
    await reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'GET, POST, PUT, DELETE',
        'access-control-allow-headers':
          'Authorization, Content-Type, X-Request-Id, X-Device-Id, X-Reset-Code',
        'access-control-max-age': '600',
      })
      .send();
  });
}
