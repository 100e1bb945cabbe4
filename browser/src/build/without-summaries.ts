import type { Plugin } from 'vite';

const SUMMARY = /\bsummary:\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"),/g;

/** Leaves out what each endpoint is for, which only the pages of the API say: telephones need not load it. Lines stay. */
export function withoutSummaries(): Plugin {
  return {
    name: 'without-summaries',
    enforce: 'pre',
    transform: {
      filter: { id: /\/contract\/src\/[\w-]+\.ts$/ },
      handler: (code) => code.replace(SUMMARY, (found) => found.replaceAll(/[^\n]/g, '')),
    },
  };
}
