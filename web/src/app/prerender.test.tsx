import '@aparta/ui/testing/show.tsx';
import { expect, test } from 'vitest';
import { documents, renderFrames } from './prerender.tsx';
import { framed } from './routes.tsx';

const modules = import.meta.glob<{ default: unknown }>('../*/*-page.tsx');

test.each(Object.entries(documents))(
  'the document of /%s brings the screen that its address opens, and nothing else',
  async (segment, source) => {
    const screen = framed[segment.toLowerCase()];
    const module = modules[source.replace('src/', '../')];
    expect((await screen?.load())?.default).toBe((await module?.())?.default);
  },
);

test('every screen that waits for its code has a document that brings it', () => {
  const segments = Object.keys(documents).map((segment) => segment.toLowerCase());
  expect(Object.keys(framed).toSorted()).toEqual(segments.toSorted());
});

test("the address of a product's link shows whose it is before any script has run, and waits for no screen", () => {
  const home = renderFrames().find(({ file }) => file === 'index.html');
  expect(home?.html).toContain('Aparta');
  expect(home?.html).not.toContain('<main');
  expect(home?.modules).toEqual([]);
});
