import type { Plugin } from 'vite';

/** What of an endpoint only the server and its pages read. */
export const SERVERS = [
  'name',
  'summary',
  'act',
  'params',
  'query',
  'body',
  'refusals',
  'refusalForm',
  'bodyLimitBytes',
];

type Node = { readonly type: string; readonly start: number; readonly end: number };
type Call = Node & { readonly callee: Node & { name?: string }; readonly arguments: readonly ObjectNode[] };
type ObjectNode = Node & { readonly properties?: readonly (Node & { readonly key?: { name?: string } })[] };
type Edit = { readonly at: number; readonly until: number; readonly text: string };

/**
 * Leaves out of the contract what a caller does not need, and telephones need not load: of each endpoint how a request is
 * checked, what it is for and how it may be refused, and every schema that then nobody needs. `but` is what this application
 * reads all the same. Lines stay.
 */
export function onlyReplies(...but: string[]): Plugin {
  const left = SERVERS.filter((name) => !but.includes(name));
  return {
    name: 'only-replies',
    enforce: 'pre',
    transform: {
      filter: { id: /\/contract\/src\/[\w-]+\.ts$/ },
      handler(code) {
        const edits = callsIn(this.parse(code, { lang: 'ts' })).flatMap((call): Edit[] => {
          // To make a schema does nothing else.
          const pure = { at: call.start, until: call.start, text: '/*#__PURE__*/ ' };
          if (call.callee.name !== 'defineEndpoint') return [pure];
          const properties = call.arguments.flatMap((endpoint) => endpoint.properties ?? []);
          return [
            pure,
            ...properties
              .filter(({ key }) => left.includes(key?.name ?? ''))
              .map(({ start, end }) => ({ at: start, until: withComma(code, end), text: '' })),
          ];
        });
        return apply(edits, code);
      },
    },
  };
}

function withComma(code: string, end: number): number {
  return end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0);
}

/** From the last edit, so that the places of the others stay; what lies in what was left out is gone with it. */
function apply(edits: readonly Edit[], code: string): string {
  const outer = edits.filter(({ at }) => !edits.some((edit) => edit.at < at && at < edit.until));
  return outer
    .toSorted((one, other) => other.at - one.at || other.until - one.until)
    .reduce((rest, { at, until, text }) => {
      const lines = rest.slice(at, until).replaceAll(/[^\n]/g, '');
      return rest.slice(0, at) + text + lines + rest.slice(until);
    }, code);
}

/** All calls of a program, functions' insides among them. */
function callsIn(tree: unknown): Call[] {
  if (typeof tree !== 'object' || tree === null) return [];
  const inside = Object.values(tree).flatMap(callsIn);
  return (tree as Node).type === 'CallExpression' ? [tree as Call, ...inside] : inside;
}
