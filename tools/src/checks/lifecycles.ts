import { walk, type Source } from './source-files.ts';

/** The functions of the lifecycle helper; the second thing that each is given is a lifecycle. */
const MOVERS = ['moveState', 'deferMove', 'recordBirth'];

/** A call that moves rows along a lifecycle. `table` is undefined when the lifecycle is no constant with its table in it. */
type Move = { file: string; line: number; table: string | undefined };

/** Every call of the lifecycle helper, with the table that it writes. */
export function movesIn(sources: Source[]): Move[] {
  const tables = new Map<string, string>();
  for (const { program } of sources) {
    walk(program, (node) => {
      if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return;
      if (node.init?.type !== 'ObjectExpression') return;
      const fields = new Map(
        node.init.properties.map((property) =>
          property.type === 'Property' && property.key.type === 'Identifier'
            ? [property.key.name, property.value]
            : ['', undefined],
        ),
      );
      const table = fields.get('table');
      if (fields.has('moves') && table?.type === 'Literal') tables.set(node.id.name, String(table.value));
    });
  }
  return sources.flatMap((source) => {
    const moves: Move[] = [];
    walk(source.program, (node) => {
      if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return;
      if (!MOVERS.includes(node.callee.name)) return;
      const [, lifecycle] = node.arguments;
      const table = lifecycle?.type === 'Identifier' ? tables.get(lifecycle.name) : undefined;
      moves.push({ file: source.file, line: source.lineAt(node.start), table });
    });
    return moves;
  });
}
