/**
 * The cookie that says that a browser stays signed in: '1', or '0' once it was signed out and the server may not know. Apart from
 * the calls, since every screen reads it.
 */
export const KEPT_HINT = 'aparta-stays';
