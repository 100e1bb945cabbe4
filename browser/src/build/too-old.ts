import type { Plugin } from 'vite';

const WORDS =
  'Este navegador es muy antiguo: hay pantallas que no van a abrir. Actualiza tu teléfono, o entra desde otro.';

/** In words that any browser reads. Import maps came to Safari with the last of what the build needs (16.4), and to others before. */
const SAY = `HTMLScriptElement.supports&&HTMLScriptElement.supports('importmap')||addEventListener('DOMContentLoaded',function(){var p=document.createElement('p'),b=document.body;p.style.margin='1rem';p.textContent='${WORDS}';b.insertBefore(p,b.firstChild)})`;

/**
 * Says above a document that its browser is older than the build is for (Vite's `build.target`): its scripts may not even be read. It
 * stands before the style sheets: after them, what follows would wait until they have come.
 */
export const tooOld = (): Plugin => ({
  name: 'too-old',
  apply: 'build',
  transformIndexHtml: () => [{ tag: 'script', children: SAY, injectTo: 'head-prepend' }],
});
