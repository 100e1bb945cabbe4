import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { Route, Router } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, luisAtCounter, ok, refuse } from '../../../web/test/server.ts';
import { session } from '../session/session.ts';
import HandOverPage from './hand-over-page.tsx';

/** What the server says to digits that are not the purchase's. */
let wrong: () => ReturnType<typeof refuse> | 'no network' | Promise<'no network'>;

const calls = fakeServer({
  'POST /v1/counter/hand-overs/find': ({ body }) =>
    (body as { digits: string }).digits === '482913'
      ? ok({
          purchaseId: 41,
          productId: 5,
          productName: 'Lavadora',
          pictures: null,
          buyer: 'Marisol R.',
          collector: null,
          paid: 2400,
          wantsSignature: false,
        })
      : wrong(),
});

beforeEach(() => session.open(luisAtCounter));

function open() {
  return show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <Route path="/entrega/:code">{({ code }) => <HandOverPage code={code} />}</Route>
      </QueryClientProvider>
    </Router>,
    '/mostrador/entrega/A7K299310Z',
  );
}
const digits = () => screen.getByLabelText<HTMLInputElement>('Código de entrega');

test.each([
  [
    'a code that is not of this purchase',
    () => refuse(409, 'PICKUP_WRONG'),
    /El código no es de esta compra/,
  ],
  ['a lost network', () => 'no network' as const, /No hay conexión/],
])('after %s the cashier types the code again', async (_what, said, sentence) => {
  wrong = said;
  const { user } = open();
  await user.type(digits(), '000000{Enter}');
  expect(await screen.findByText(sentence)).toBeTruthy();
  await user.clear(digits());
  await user.type(digits(), '482913');
  await user.click(screen.getByRole('button', { name: 'Revisar el código' }));
  expect(await screen.findByRole('heading', { name: 'Lavadora' })).toBeTruthy();
});

test('a code that is being asked about is not asked about again: a wrong one counts', async () => {
  const answer = Promise.withResolvers<'no network'>();
  wrong = () => answer.promise;
  const { user } = open();
  await user.type(digits(), '000000{Enter}{Enter}');
  await user.type(digits(), '{Enter}');
  expect(calls.length).toBe(1);
  answer.resolve('no network');
  await screen.findByRole('alert');
});
