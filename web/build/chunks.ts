/** What is read here of a module of the finished graph. */
type Module = { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] };
type Graph = { getModuleInfo: (id: string) => Module | null };
type Plan = { first: ReadonlySet<string>; common: ReadonlySet<string> };

/** So many screens make a part common: fewer files, for little that a screen loads without a use for it. */
const SCREENS = 4;

/**
 * Names the chunks, in place of a file for every part that two screens share: `first` is all that the entry loads at
 * once, `common` all that `frame` does or several of the `screens`; the rest stays with its screens.
 */
export function chunks(of: { entry: string; frame: RegExp; screens: RegExp }) {
  let planned: Plan | undefined;
  const named = (name: keyof Plan) => (id: string, graph: Graph) =>
    (planned ??= plan(graph, of))[name].has(id) ? name : null;
  return { first: named('first'), common: named('common') };
}

function plan(graph: Graph, { entry, frame, screens }: Parameters<typeof chunks>[0]): Plan {
  const starts = new Set([entry]);
  const uses = new Map<string, number>();
  // A set that grows while it is walked is walked to its end.
  for (const start of starts) {
    const weight = frame.test(start) ? SCREENS : screens.test(start) ? 1 : 0;
    for (const id of reachedBy(graph, start)) {
      uses.set(id, (uses.get(id) ?? 0) + weight);
      graph.getModuleInfo(id)?.dynamicallyImportedIds.forEach((next) => starts.add(next));
    }
  }
  const common = [...uses].filter(([id, count]) => count >= SCREENS && !starts.has(id));
  return { first: reachedBy(graph, entry), common: new Set(common.map(([id]) => id)) };
}

/** A module with all that it imports, and so on. */
function reachedBy(graph: Graph, start: string): Set<string> {
  const reached = new Set([start]);
  for (const id of reached) graph.getModuleInfo(id)?.importedIds.forEach((next) => reached.add(next));
  return reached;
}
