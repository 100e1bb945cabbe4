import type { CallExpression, Expression, Node } from 'oxc-parser';
import { linesOf, walk, type Source } from './source-files.ts';

type Verb = 'insert' | 'update' | 'delete' | 'merge' | 'truncate' | 'read';

/** One thing that SQL does to one table, whether said to the query builder or in words. */
export type SqlAct = {
  verb: Verb;
  /** Undefined: said by something that is no literal. */
  table: string | undefined;
  line: number;
  /** The columns that an insert or update gives a value, each with that value where it is a text literal. */
  sets: Map<string, string | undefined>;
  /** It gives values to columns that cannot be read here. */
  setsMore: boolean;
};

/** Stands for the value of `SOMETHING.initial`, the state in which a lifecycle begins. */
export const INITIAL = '<initial>';

const BUILDER_WRITES = new Map<string, Verb>([
  ['insertInto', 'insert'],
  ['replaceInto', 'insert'],
  ['updateTable', 'update'],
  ['deleteFrom', 'delete'],
  ['mergeInto', 'merge'],
]);
const BUILDER_READS = /^(selectFrom|(inner|left|right|full|cross)Join(Lateral)?)$/;
/** Said of other things too, so they count behind another call alone. */
const BUILDER_READS_LATER = /^(from|using)$/;

/** A text that nothing marks as SQL is taken for it when it begins like this. */
const BEGINS_LIKE_SQL =
  /^\s*((--[^\n]*\n|\/\*[^]*?\*\/)\s*)*(select\s|insert\s+into\s|update\s+(only\s+)?[\w."]+\s+(as\s+\w+\s+)?set\s|delete\s+from\s|merge\s+into\s|truncate\s+\w|with\s+(recursive\s+)?\w+\s*(\([^)]*\)\s*)?as\s)/i;

/** Every read and write of a table in a source. Names of common table expressions are no tables. */
export function sqlActs(source: Source): SqlAct[] {
  return source.program.body.flatMap((statement) => {
    const acts: SqlAct[] = [];
    const named = new Set<string>();
    walk(statement, (node, around) => {
      if (node.type === 'CallExpression') {
        const name = methodOf(node);
        if (name === 'with' || name === 'withRecursive') named.add(wordOf(node.arguments[0]) ?? '');
        acts.push(...builderActs(source, node, around));
      }
      const template = sqlTemplate(source, node, around);
      if (template) acts.push(...textActs(template.text, template.holes, source.lineAt(template.start)));
    });
    return acts.filter(({ table }) => table === undefined || !named.has(table));
  });
}

/** Every read and write of a table in SQL text; `views` and trigger bodies are read like the rest. */
export function sqlTextActs(text: string): SqlAct[] {
  return textActs(text.replaceAll(/\$\w*\$/g, ' '), [], 1);
}

// ---- said to the query builder

function builderActs(source: Source, call: CallExpression, around: readonly Node[]): SqlAct[] {
  const name = methodOf(call) ?? '';
  const line = source.lineAt(
    call.callee.type === 'MemberExpression' ? call.callee.property.start : call.start,
  );
  const verb = BUILDER_WRITES.get(name);
  if (verb) {
    const [target] = call.arguments;
    const act = (table: string | undefined): SqlAct => ({
      verb,
      table,
      line,
      sets: new Map(),
      setsMore: false,
    });
    const acts = target?.type === 'ArrayExpression' ? wordsOf(target).map(act) : [act(wordOf(target))];
    return acts.flatMap((written) => [written, ...chainSets(source, written, call, around)]);
  }
  const isLater =
    BUILDER_READS_LATER.test(name) &&
    call.callee.type === 'MemberExpression' &&
    call.callee.object.type === 'CallExpression';
  if (!BUILDER_READS.test(name) && !isLater) return [];
  const [target] = call.arguments;
  const tables = target?.type === 'ArrayExpression' ? wordsOf(target) : [wordOf(target)];
  return tables
    .filter((table) => table !== undefined)
    .map((table) => ({ verb: 'read' as const, table, line, sets: new Map(), setsMore: false }));
}

/**
 * Notes in `act` what the calls chained to a write give its columns, and answers an update of its own for what an insert does on
 * conflict.
 */
function chainSets(source: Source, act: SqlAct, call: CallExpression, around: readonly Node[]): SqlAct[] {
  const more: SqlAct[] = [];
  let isSaid = act.verb !== 'update' && act.verb !== 'insert';
  let inner: Node = call;
  for (let at = around.length - 1; at > 0; at -= 2) {
    const [member, outer] = [around[at], around[at - 1]];
    if (member?.type !== 'MemberExpression' || member.object !== inner) break;
    if (outer?.type !== 'CallExpression' || outer.callee !== member) break;
    const name = methodOf(outer) ?? '';
    if ((act.verb === 'update' && name === 'set') || (act.verb === 'insert' && name === 'values')) {
      isSaid = true;
      noteSets(source, act, outer.arguments as Expression[]);
    }
    if (act.verb === 'insert' && name === 'columns') {
      isSaid = true;
      for (const column of wordsOf(outer.arguments[0])) act.sets.set(column ?? '', undefined);
    }
    if (act.verb === 'insert' && name === 'defaultValues') isSaid = true;
    // `onConflict((oc) => …doUpdateSet(…))`, `$if(…, (qb) => qb.set(…))`
    for (const argument of outer.arguments) {
      walk(argument, (node) => {
        if (node.type !== 'CallExpression' || !['doUpdateSet', 'set'].includes(methodOf(node) ?? '')) return;
        if (name !== 'onConflict' && !name.startsWith('$')) return;
        const update: SqlAct = { ...act, verb: 'update', sets: new Map(), setsMore: false };
        noteSets(source, update, node.arguments as Expression[]);
        more.push(update);
      });
    }
    inner = outer;
  }
  if (!isSaid) act.setsMore = true;
  return more;
}

function noteSets(source: Source, act: SqlAct, args: Expression[]): void {
  const [first, second] = args;
  if (second) {
    const column = wordOf(first);
    if (column === undefined) act.setsMore = true;
    else act.sets.set(column, wordOf(second));
  } else if (first) {
    noteValue(source, act, first, 0);
  }
}

/** `depth` ends what a value that is made from itself would begin. */
function noteValue(source: Source, act: SqlAct, value: Node, depth: number): void {
  const further = (next: Node) => noteValue(source, act, next, depth + 1);
  if (depth > 20) act.setsMore = true;
  else if (value.type === 'ObjectExpression') {
    for (const property of value.properties) {
      if (property.type === 'SpreadElement') further(property.argument);
      else if (property.computed) act.setsMore = true;
      else act.sets.set(keyOf(property.key), wordOf(property.value));
    }
  } else if (value.type === 'ArrayExpression')
    value.elements.forEach((element) => element && further(element));
  else if (value.type === 'ParenthesizedExpression') further(value.expression);
  else if (value.type === 'TSAsExpression' || value.type === 'TSSatisfiesExpression')
    further(value.expression);
  else if (value.type === 'LogicalExpression') further(value.right);
  else if (value.type === 'ConditionalExpression') [value.consequent, value.alternate].forEach(further);
  else if (value.type === 'SpreadElement') further(value.argument);
  else if (value.type === 'ArrowFunctionExpression' && value.expression) further(value.body);
  else if (value.type === 'CallExpression' && methodOf(value) === 'map' && value.arguments[0])
    further(value.arguments[0]);
  else if (value.type === 'Identifier' && value.name !== 'undefined') {
    const made = madeHere(source, value.name);
    if (made) further(made);
    else act.setsMore = true;
  } else if (value.type !== 'Identifier' && value.type !== 'Literal') act.setsMore = true;
}

/** The value of a constant that is declared once in the file. */
function madeHere(source: Source, name: string): Expression | undefined {
  const found: (Expression | undefined)[] = [];
  walk(source.program, (node) => {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.id.name === name)
      found.push(node.init ?? undefined);
  });
  return found.length === 1 ? found[0] : undefined;
}

function methodOf(call: CallExpression): string | undefined {
  const { callee } = call;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier')
    return undefined;
  return callee.property.name;
}

function keyOf(key: Node): string {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' ? String(key.value) : '';
}

/** A text literal, without `as alias` and without the columns of a common table expression. */
function wordOf(node: Node | null | undefined): string | undefined {
  let text: string | undefined;
  if (node?.type === 'Literal' && typeof node.value === 'string') text = node.value;
  else if (node?.type === 'TemplateLiteral' && node.expressions.length === 0)
    text = node.quasis[0]?.value.raw;
  else if (isInitial(node)) text = INITIAL;
  return text?.replace(/(\s+as\s+\w+|\(.*\))$/i, '').replace(/^public\./, '');
}

function isInitial(node: Node | null | undefined): boolean {
  return (
    node?.type === 'MemberExpression' &&
    node.property.type === 'Identifier' &&
    node.property.name === 'initial'
  );
}

function wordsOf(node: Node | null | undefined): (string | undefined)[] {
  return node?.type === 'ArrayExpression' ? node.elements.map(wordOf) : [wordOf(node)];
}

// ---- said in words

type Hole = { at: number; word: string | undefined };
type Token = { kind: 'word' | 'text' | 'sign' | 'hole'; value: string; at: number };

/** The SQL that a node is, with every `${…}` blanked to its length, so that offsets stay true. */
function sqlTemplate(
  source: Source,
  node: Node,
  around: readonly Node[],
): { text: string; holes: Hole[]; start: number } | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') {
    return BEGINS_LIKE_SQL.test(node.value) ? { text: node.value, holes: [], start: node.start } : undefined;
  }
  if (node.type !== 'TemplateLiteral') return undefined;
  const start = node.start + 1;
  const holes: Hole[] = [];
  let text = source.text.slice(start, node.end - 1);
  for (const expression of node.expressions) {
    const from = text.lastIndexOf('${', expression.start - start);
    const to = text.indexOf('}', expression.end - start) + 1;
    text = text.slice(0, from) + text.slice(from, to).replaceAll(/[^\n]/g, ' ') + text.slice(to);
    holes.push({ at: from, word: namedTable(expression) });
  }
  const parent = around.at(-1);
  const isTagged =
    parent?.type === 'TaggedTemplateExpression' &&
    parent.tag.type === 'Identifier' &&
    parent.tag.name === 'sql';
  return isTagged || BEGINS_LIKE_SQL.test(text) ? { text, holes, start } : undefined;
}

/** The table of `sql.table('it')`, and the first state of a lifecycle. */
function namedTable(expression: Expression): string | undefined {
  if (isInitial(expression)) return INITIAL;
  if (expression.type !== 'CallExpression') return undefined;
  return ['table', 'id', 'ref', 'raw'].includes(methodOf(expression) ?? '')
    ? wordOf(expression.arguments[0])
    : undefined;
}

function textActs(text: string, holes: Hole[], firstLine: number): SqlAct[] {
  const tokens = tokensOf(text, holes);
  const lineAt = linesOf(text);
  const named = commonNames(tokens);
  const acts: SqlAct[] = [];
  const add = (verb: Verb, place: number, table: string | undefined) => {
    const line = firstLine + lineAt(tokens[place]?.at ?? 0) - 1;
    const act: SqlAct = { verb, table, line, sets: new Map(), setsMore: false };
    if (table === undefined || !named.has(table)) acts.push(act);
    return act;
  };
  const is = (place: number, ...words: string[]) => words.includes(tokens[place]?.value ?? '');
  /** Where the name of a table stands from `place` on, behind the words that may come before it. */
  const nameAt = (place: number) => {
    let at = place;
    while (is(at, 'only', 'table', 'lateral')) at += 1;
    return is(at, 'public') && is(at + 1, '.') ? at + 2 : at;
  };
  const tableAt = (place: number) => {
    return tokens[place]?.value || undefined;
  };
  const isName = (place: number) => ['word', 'hole'].includes(tokens[place]?.kind ?? '');

  tokens.forEach((token, place) => {
    if (token.kind !== 'word') return;
    const at = nameAt(place + 1);
    if (token.value === 'into' && is(place - 1, 'insert', 'merge') && isName(nameAt(place + 1))) {
      const act = add(is(place - 1, 'insert') ? 'insert' : 'merge', at, tableAt(at));
      if (act.verb === 'insert') {
        const conflict = noteInsert(tokens, at + 1, act);
        if (conflict !== undefined) noteAssignments(tokens, conflict, add('update', at, tableAt(at)));
      }
    } else if (
      token.value === 'update' &&
      !is(place - 1, 'for', 'key', 'do', 'after', 'before', 'or', 'on')
    ) {
      const set = [at + 1, at + 2, at + 3].find((next) => is(next, 'set'));
      if (isName(at) && !is(at, 'set', 'of', 'on', 'or') && set !== undefined)
        noteAssignments(tokens, set + 1, add('update', at, tableAt(at)));
    } else if (token.value === 'from' && is(place - 1, 'delete')) {
      if (isName(at)) add('delete', at, tableAt(at));
    } else if (token.value === 'truncate' && !is(place - 1, 'or', 'before', 'after')) {
      if (isName(at) && !is(at, 'on', 'or')) add('truncate', at, tableAt(at));
    } else if (['from', 'join', 'using'].includes(token.value) && !is(place - 1, 'distinct')) {
      for (const name of listedFrom(tokens, at, token.value === 'from', nameAt)) {
        const table = tableAt(name);
        if (table !== undefined) add('read', name, table);
      }
    }
  });
  return acts;
}

/** Places of the names in `from a, b as c`. A name before a bracket is a function, one before a dot a column's table. */
function listedFrom(
  tokens: Token[],
  first: number,
  isList: boolean,
  nameAt: (place: number) => number,
): number[] {
  const places: number[] = [];
  for (let at = first; ;) {
    const token = tokens[at];
    const isName = token?.kind === 'word' || token?.kind === 'hole';
    const next = tokens[at + 1]?.value;
    if (!isName && token?.value !== '(') return places;
    if (isName && next !== '(' && next !== '.') places.push(at);
    let after = (token.value === '(' ? closing(tokens, at) : at) + 1;
    if (isName && next === '(') after = closing(tokens, at + 1) + 1;
    if (tokens[after]?.value === 'as') after += 1;
    if (tokens[after]?.kind === 'word') after += 1;
    if (tokens[after]?.value === '(') after = closing(tokens, after) + 1;
    if (!isList || tokens[after]?.value !== ',') return places;
    at = nameAt(after + 1);
  }
}

function commonNames(tokens: Token[]): Set<string> {
  const names = new Set<string>();
  tokens.forEach((token, place) => {
    if (token.kind !== 'word' || !['with', 'recursive', ','].includes(tokens[place - 1]?.value ?? '')) return;
    let at = place + 1;
    if (tokens[at]?.value === '(') at = closing(tokens, at) + 1;
    if (tokens[at]?.value !== 'as') return;
    at += 1;
    while (['not', 'materialized'].includes(tokens[at]?.value ?? '')) at += 1;
    if (tokens[at]?.value === '(') names.add(token.value);
  });
  return names;
}

/** Notes the assignments from `place` on, behind `set`. */
function noteAssignments(tokens: Token[], place: number, act: SqlAct): void {
  let isTarget = true;
  for (let at = place; at < tokens.length; at += 1) {
    const token = tokens[at];
    const next = tokens[at + 1];
    if (!token || token.value === ';' || token.value === ')') return;
    if (['where', 'from', 'returning'].includes(token.value) && token.kind === 'word') return;
    if (isTarget && token.kind === 'hole') act.setsMore = true;
    if (isTarget && token.kind === 'word' && next?.value === '=') {
      const [value, after] = [tokens[at + 2], tokens[at + 3]];
      const isAlone = !after || [',', ';', ')', 'where', 'from', 'returning', 'when'].includes(after.value);
      act.sets.set(token.value, isAlone ? stateFrom(value) : undefined);
    }
    if (isTarget && token.value === '(') {
      for (const column of tokens.slice(at + 1, closing(tokens, at)))
        if (column.kind === 'word') act.sets.set(column.value, undefined);
    }
    isTarget = token.value === ',';
    if (token.value === '(') at = closing(tokens, at);
  }
}

/** Notes the columns of an insert from `place` on, and answers where what it does on conflict begins. */
function noteInsert(tokens: Token[], place: number, act: SqlAct): number | undefined {
  let at = place;
  if (tokens[at]?.value === 'as') at += 2;
  if (tokens[at]?.value === '(') {
    const end = closing(tokens, at);
    const columns = tokens.slice(at + 1, end).filter(({ value }) => value !== ',');
    const isTuple = tokens[end + 1]?.value === 'values' && tokens[end + 2]?.value === '(';
    const values = partsOf(tokens, isTuple ? end + 3 : end + 2);
    columns.forEach((column, index) => {
      if (column.kind === 'hole') act.setsMore = true;
      const value = values[index];
      const literal = value?.length === 1 ? stateFrom(value[0]) : undefined;
      act.sets.set(column.value, literal);
    });
    at = end + 1;
  } else {
    act.setsMore = true;
  }
  for (; at < tokens.length && tokens[at]?.value !== ';' && tokens[at]?.value !== ')'; at += 1) {
    if (tokens[at]?.value === '(') at = closing(tokens, at);
    const [one, two, three] = [tokens[at]?.value, tokens[at + 1]?.value, tokens[at + 2]?.value];
    if (one === 'do' && two === 'update' && three === 'set') return at + 3;
    if (one === 'insert') return undefined;
  }
  return undefined;
}

function stateFrom(token: Token | undefined): string | undefined {
  return token?.kind === 'text' || token?.value === INITIAL ? token.value : undefined;
}

/** What stands between the commas from `place` on, up to the end of the tuple or of the select list. */
function partsOf(tokens: Token[], place: number): Token[][] {
  const parts: Token[][] = [[]];
  for (let at = place; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || [')', ';', 'from', 'where', 'on'].includes(token.value)) break;
    if (token.value === ',') {
      parts.push([]);
      continue;
    }
    parts.at(-1)?.push(token);
    if (token.value === '(') at = closing(tokens, at);
  }
  return parts;
}

/** Where the bracket that opens at `place` closes. */
function closing(tokens: Token[], place: number): number {
  let depth = 0;
  for (let at = place; at < tokens.length; at += 1) {
    if (tokens[at]?.value === '(' && tokens[at]?.kind === 'sign') depth += 1;
    if (tokens[at]?.value === ')' && tokens[at]?.kind === 'sign') depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}

const TOKEN = /--[^\n]*|\/\*[^]*?\*\/|'((?:[^']|'')*)'|"([^"]*)"|([a-z_][\w$]*)|(\d[\w.]*|::?\w*|[^\s\w])/giy;

/** Words in lower case, texts without their quotes, signs, and the holes where they stand; comments are left out. */
function tokensOf(text: string, holes: Hole[]): Token[] {
  const tokens: Token[] = [];
  const open = [...holes];
  for (let at = 0; at <= text.length;) {
    const [hole] = open;
    if (hole && at >= hole.at) {
      tokens.push({ kind: 'hole', value: hole.word ?? '', at: hole.at });
      open.shift();
      at = Math.max(at, hole.at + 1);
      continue;
    }
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found) {
      at += 1;
      continue;
    }
    const [whole, quoted, name, word, sign] = found;
    if (quoted !== undefined) tokens.push({ kind: 'text', value: quoted, at });
    else if (name !== undefined) tokens.push({ kind: 'word', value: name, at });
    else if (word !== undefined) tokens.push({ kind: 'word', value: word.toLowerCase(), at });
    else if (sign !== undefined) tokens.push({ kind: 'sign', value: sign, at });
    at += whole.length;
    while (open[0] && open[0].at < at) open.shift(); // inside a quoted text or a comment
  }
  return tokens;
}
