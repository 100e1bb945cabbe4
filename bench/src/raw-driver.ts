import pg from 'pg';
import {
  asText,
  elementOf,
  FIRST_MADE,
  FIRST_REFERENCE,
  MADE_EACH,
  type RawRun,
  type Value,
} from './raw-transaction.ts';

/** What the program would have made, of the type that is asked for: unlike any other for each `number`. */
function madeBy(number: number, type: string): string {
  switch (type) {
    case 'uuid':
      return uuidOf(number);
    case 'bytea':
      return `\\x${number.toString(16).padStart(64, '0')}`;
    case 'text': // often a uuid's
      return uuidOf(number);
    default:
      return String(number);
  }
}

const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Sends the statements over bare connections, prepared once in each; returns transactions per second. */
export async function runByDriver(run: RawRun): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: run.clients }, async () => {
      const client = new pg.Client({ connectionString: run.url, options: run.options });
      await client.connect();
      return client;
    }),
  );
  try {
    const begun = performance.now();
    await Promise.all(clients.map((client, index) => send(client, index, run)));
    return (run.clients * run.perClient * 1000) / (performance.now() - begun);
  } finally {
    for (const client of clients) await client.end();
  }
}

async function send(client: pg.Client, index: number, run: RawRun): Promise<void> {
  for (let turn = 0; turn < run.perClient; turn += 1) {
    const n = run.from + index * run.perClient + turn;
    const inputs = { reference: String(FIRST_REFERENCE + n), slot: String(index) };
    const answers: (Record<string, unknown> | undefined)[] = [];
    const valueOf = (value: Value, type: string): string | null => {
      switch (value.from) {
        case 'constant':
          return value.value === null ? null : asText(value.value);
        case 'input':
          return inputs[value.name];
        case 'answer':
          return asText(answers[value.statement]?.[value.column]);
        case 'list':
          return `{${value.items.map((item) => JSON.stringify(valueOf(item, elementOf(type)))).join(',')}}`;
        case 'program':
          return madeBy(FIRST_MADE + n * MADE_EACH + value.nth, type);
      }
    };
    for (const [place, { text, values }] of run.statements.entries()) {
      const answer = await client.query<Record<string, unknown>>(
        values.length === 0
          ? { text }
          : {
              name: `s${place}`,
              text,
              values: values.map((value, at) => valueOf(value, run.types[place]?.[at] ?? 'text')),
            },
      );
      // Statements without values may be several, each with an answer.
      answers.push([answer].flat().at(-1)?.rows[0]);
    }
  }
}
