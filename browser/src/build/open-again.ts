import type { Plugin } from 'vite';
import { openAgain } from '../open-again.ts';

const OPEN_AGAIN = `addEventListener('error',({target})=>target.type==='module'&&(${String(openAgain)})(),true)`;

/** Opens a document again whose application was lost on the way. It stands in the document; the server's policy admits it by its hash. */
export const openAgainPlugin = (): Plugin => ({
  name: 'open-again',
  apply: 'build',
  transformIndexHtml: () => [{ tag: 'script', children: OPEN_AGAIN, injectTo: 'head-prepend' }],
});
