/** The parts of a module's info that are used here. */
type Module = { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] };
type Graph = { getModuleInfo: (id: string) => Module | null };
type Plan = { first: ReadonlySet<string>; common: ReadonlySet<string> };

/**
 * A module used by this many screens is common: fewer files, at the cost of some bytes that a screen does not
 * need.
 */
const SCREENS = 4;

/**
 * Assigns modules to chunks, instead of one file for every pair of screens: `first` is what the entry loads,
 * `common` what `frame` or several `screens` load, and what is `small`; the rest stays with its screen, and so does what is
 * `seldom` called, though whole libraries import it.
 */
export function chunks(of: { entry: string; frame: RegExp; screens: RegExp; small: RegExp; seldom: RegExp }) {
  let planned: Plan | undefined;
  const named = (name: keyof Plan) => (id: string, graph: Graph) =>
    (planned ??= plan(graph, of))[name].has(id) ? name : null;
  return { first: named('first'), common: named('common') };
}

function plan(graph: Graph, { entry, frame, screens, small, seldom }: Parameters<typeof chunks>[0]): Plan {
  const starts = new Set([entry]);
  const uses = new Map<string, number>();
  // Sets may grow while they are iterated.
  for (const start of starts) {
    const weight = frame.test(start) ? SCREENS : screens.test(start) ? 1 : 0;
    for (const id of reachedBy(graph, start)) {
      uses.set(id, (uses.get(id) ?? 0) + weight);
      graph.getModuleInfo(id)?.dynamicallyImportedIds.forEach((next) => starts.add(next));
    }
  }
  const common = [...uses].filter(
    ([id, count]) => (count >= SCREENS || small.test(id)) && !starts.has(id) && !seldom.test(id),
  );
  const first = reachedBy(graph, entry);
  return { first, common: new Set(common.map(([id]) => id)) };
}

/** A module and everything that it imports, transitively. */
function reachedBy(graph: Graph, start: string): Set<string> {
  const reached = new Set([start]);
  for (const id of reached) graph.getModuleInfo(id)?.importedIds.forEach((next) => reached.add(next));
  return reached;
}
