import type { Plugin } from 'vite';

const OPEN_AGAIN = `addEventListener('error',({target:t})=>t.type==='module'&&(window.name+='.').length<10&&setTimeout(()=>location.reload(),3000),true)`;

/**
 * Opens a document again whose application was lost on the way, since browsers keep a module that failed: three seconds later, nine times
 * in a tab at most, which its name counts. It stands in the document; the server's policy admits it by its hash.
 */
export const openAgain = (): Plugin => ({
  name: 'open-again',
  apply: 'build',
  transformIndexHtml: () => [{ tag: 'script', children: OPEN_AGAIN, injectTo: 'head-prepend' }],
});
