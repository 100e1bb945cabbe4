import { beforeEach, expect, test, vi } from 'vitest';
import { show } from './testing/show.tsx';

beforeEach(() => vi.resetModules());

/** Opens a screen, in a document that came with this title; then another one. */
async function open(documentTitle: string) {
  document.title = documentTitle;
  const { useArrival } = await import('./use-arrival.ts');
  function Screen({ title }: { title: string }) {
    useArrival(title, 'Aparta');
    return <h1 tabIndex={-1}>{title}</h1>;
  }
  const { rerender } = show(<Screen key="1" title="Entrar" />);
  const focused = () => document.querySelector('h1:focus')?.textContent;
  const heardFirst = focused();
  rerender(<Screen key="2" title="Inicio" />);
  return { heardFirst, heardNext: focused(), title: document.title };
}

test('a screen whose document came without its name is announced: all that was read of it was an empty frame', async () => {
  expect((await open('Aparta')).heardFirst).toBe('Entrar');
});

test('a screen that came with its document was read already, and is not announced again; the next one is', async () => {
  const { heardFirst, heardNext, title } = await open('Entrar · Aparta');
  expect(heardFirst).toBeUndefined();
  expect([heardNext, title]).toEqual(['Inicio', 'Inicio · Aparta']);
});
