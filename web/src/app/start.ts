import { openAgain } from '@aparta/browser/open-again.ts';

// Stands in every document. What the document came with is painted before any other script of ours, or what installs the app, is
// even fetched: on a slow line it would compete with the style sheet, on a slow phone with the painting. A hidden document
// paints nothing: its scripts come beside its style sheets.

if (document.hidden) open();
else requestAnimationFrame(() => setTimeout(open));

// Remove stylesheets that failed to load: Vite treats a present link as loaded, and the screen would open
// unstyled.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement) target.remove();
  },
  true,
);

function open(): void {
  add('manifest', '/manifest.webmanifest');
  if (import.meta.env.DEV) return void import('./main.tsx');
  // The build lists what this document's screen needs, the app first.
  const files = JSON.parse((document.getElementById('aparta-scripts') as HTMLElement).textContent) as [
    string,
    ...string[],
  ];
  // A page that works without scripts stays, with what is typed in it.
  import(/* @vite-ignore */ files[0]).catch(() => document.getElementById('whole') ?? openAgain());
  // A task each: all at once they take a slow phone fifty milliseconds.
  for (const file of files) setTimeout(() => add('modulepreload', file));
}

function add(rel: string, href: string): void {
  const link = document.createElement('link');
  link.rel = rel;
  link.href = href;
  document.head.append(link);
}
