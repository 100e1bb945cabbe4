import { KEPT_HINT } from '@aparta/contract/kept-hint';
import { KEPT_PATH } from '@aparta/contract/kept-sessions';

/**
 * The cookies of a browser that stays signed in (rules/accounts#staying-signed-in): the secret, which no script reads and only
 * the calls that renew or end it are sent; and a hint that there is one, which lets nobody in, for scripts and for who asks for
 * the login page.
 */
export function keptCookies(
  { value, seconds }: { readonly value: string; readonly seconds: number },
  secure: boolean,
): string[] {
  const ends = secure ? '; Secure' : '';
  return [
    `${nameOf(secure)}=${value}; Max-Age=${seconds}; Path=${KEPT_PATH}; HttpOnly; SameSite=Strict${ends}`,
    // An email's link is another site's.
    `${KEPT_HINT}=${seconds > 0 ? 1 : ''}; Max-Age=${seconds}; Path=/; SameSite=Lax${ends}`,
  ];
}

/** Takes both back. */
export function noKeptCookies(secure: boolean): string[] {
  return keptCookies({ value: '', seconds: 0 }, secure);
}

/** The secret that a call brings. */
export function keptOf(cookies: string | undefined, secure: boolean): string | undefined {
  return cookieOf(cookies, nameOf(secure));
}

/** Whether a browser says that it stays signed in. */
export function isKept(cookies: string | undefined): boolean {
  return cookieOf(cookies, KEPT_HINT) === '1';
}

function cookieOf(cookies: string | undefined, name: string): string | undefined {
  const start = `${name}=`;
  return cookies
    ?.split('; ')
    .find((each) => each.startsWith(start))
    ?.slice(start.length);
}

/** With the prefix, nothing but https can set it. */
function nameOf(secure: boolean): string {
  return secure ? '__Secure-aparta-kept' : 'aparta-kept';
}
