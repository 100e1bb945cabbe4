import type { Page } from 'playwright-core';

/** All that a page of this browser can read of what was kept, as text. */
export function keptIn(page: Page): Promise<{ queries: string[]; text: string; documents: string[] }> {
  return page.evaluate(async () => {
    const ask = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error));
      });
    const queries: string[] = [];
    const rows: unknown[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await ask(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const open = database.transaction(store).objectStore(store);
        queries.push(...(await ask(open.getAllKeys())).map(String));
        rows.push(...(await ask(database.transaction(store).objectStore(store).getAll())));
      }
      database.close();
    }
    const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = (await Promise.all(opened.map((cache) => cache.keys()))).flat();
    const paths = requests.map(({ url }) => new URL(url).pathname);
    const documents = paths.filter((path) => !path.includes('/assets/'));
    const bodies = await Promise.all(
      documents.map(async (path) => (await caches.match(path, { ignoreSearch: true }))?.text()),
    );
    const text = JSON.stringify([rows, { ...localStorage }, bodies]);
    return { queries, text, documents };
  });
}
