import { runInNewContext } from 'node:vm';

interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly event: readonly { readonly listen: string; readonly script: { readonly exec: string[] } }[];
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly auth: { readonly bearer?: readonly { readonly value: string }[] };
    readonly header: readonly { readonly key: string; readonly value: string }[];
    readonly body?: { readonly raw: string };
  };
}

export interface Collection {
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly Item[];
}

/**
 * Runs a Postman collection from top to bottom, its scripts too. `given` replaces variables; `ready` is waited for before each request.
 * Answers what came of each.
 */
export async function runCollection(
  { variable, item }: Collection,
  given: Readonly<Record<string, string>>,
  ready: () => Promise<unknown> = async () => {},
): Promise<{ name: string; status: number; body: any }[]> {
  const variables = new Map<string, unknown>(variable.map(({ key, value }) => [key, value]));
  for (const [key, value] of Object.entries(given)) variables.set(key, value);
  const filled = (text: string): string =>
    text.replaceAll(/\{\{([^}]+)\}\}/g, (_, name: string) =>
      name === '$guid' ? crypto.randomUUID() : String(variables.get(name)),
    );
  const answers: { name: string; status: number; body: any }[] = [];
  for (const { name, event, request } of item.flatMap(({ item: inside = [] }) => inside)) {
    const run = (listen: string, body?: unknown) => {
      const pm = {
        response: { json: () => body },
        collectionVariables: { set: (key: string, value: unknown) => variables.set(key, value) },
        variables: { replaceIn: filled },
      };
      for (const each of event.filter((script) => script.listen === listen))
        runInNewContext(each.script.exec.join('\n'), { pm });
    };
    run('prerequest');
    await ready();
    const [bearer] = request.auth.bearer ?? [];
    const answer = await fetch(filled(request.url), {
      method: request.method,
      headers: {
        ...Object.fromEntries(request.header.map(({ key, value }) => [key, value])),
        ...(bearer && { authorization: `Bearer ${filled(bearer.value)}` }),
      },
      ...(request.body && { body: filled(request.body.raw) }),
    });
    const body = await answer.json();
    answers.push({ name, status: answer.status, body });
    run('test', body);
  }
  return answers;
}
