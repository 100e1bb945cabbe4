import type { FastifyRequest } from 'fastify';

/** As long as a redirect may take. */
const SECONDS = 60;

/**
 * The cookie that carries a session from a form that was sent without scripts to the next document, which takes it back. No
 * script reads it, no call is let in by it, and no other site's page makes a browser send it.
 */
export function entryCookie(session: unknown, secure: boolean): string {
  const value = Buffer.from(JSON.stringify(session)).toString('base64url');
  return cookie(value, SECONDS, secure);
}

/** Takes the cookie back. */
export function noEntryCookie(secure: boolean): string {
  return cookie('', 0, secure);
}

/** The session that a request brings from a form, as JSON. */
export function entryOf(request: FastifyRequest, secure: boolean): string | undefined {
  const cookies = (request.headers.cookie ?? '').split('; ');
  const start = `${nameOf(secure)}=`;
  const value = cookies.find((each) => each.startsWith(start))?.slice(start.length);
  return value ? Buffer.from(value, 'base64url').toString('utf8') : undefined;
}

function cookie(value: string, seconds: number, secure: boolean): string {
  const ends = `Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Strict`;
  return `${nameOf(secure)}=${value}; ${ends}${secure ? '; Secure' : ''}`;
}

/** With the prefix, no subdomain of ours can set it. */
function nameOf(secure: boolean): string {
  return secure ? '__Host-aparta-entry' : 'aparta-entry';
}
