import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { Route, Router } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { evaAtCounter, fakeServer, luisAtCounter, ok, refuse } from '../../../web/test/server.ts';
import { handOverPresses } from '../session/press.ts';
import { session } from '../session/session.ts';
import HandOverPage from './hand-over-page.tsx';

/** What the server says to digits that are not the purchase's. */
let wrong: () => ReturnType<typeof refuse> | 'no network' | Promise<'no network'>;

/** What handing over is answered. */
let handedOver: (body: { readonly id: string }) => Promise<ReturnType<typeof refuse>>;

const calls = fakeServer({
  'POST /v1/counter/hand-overs/find': ({ body }) =>
    (body as { digits: string }).digits === '482913'
      ? ok({
          purchaseId: 41,
          productId: 5,
          productName: 'Lavadora',
          pictures: null,
          buyer: 'Marisol Ramos Díaz',
          collector: null,
          paid: 2400,
          wantsSignature: false,
        })
      : wrong(),
  'POST /v1/counter/hand-overs': ({ body }) => handedOver(body as { id: string }),
});

beforeEach(() => session.open(luisAtCounter));

function open(at: Parameters<typeof show>[1] = '/mostrador/entrega/A7K299310Z') {
  return show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <Route path="/entrega/:code?">{({ code }) => <HandOverPage code={code} />}</Route>
      </QueryClientProvider>
    </Router>,
    at,
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

test('a hand-over that is answered after its cashier left is left to them, and leads the next one nowhere', async () => {
  const answered = Promise.withResolvers<void>();
  let id = '';
  handedOver = async (body) => {
    ({ id } = body);
    await answered.promise;
    return refuse(409, 'PICKUP_WRONG');
  };
  const { user, here } = open();
  await user.type(digits(), '482913{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Entregar' }));
  await waitFor(() => expect(id).not.toBe(''));
  act(() => {
    session.close();
    session.open(evaAtCounter);
  });
  const before = here();
  answered.resolve();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([here(), handOverPresses.unfinished(luisAtCounter.position)?.id]).toEqual([before, id]);
});

test('a code that was scanned is asked once, and neither a reload nor Back asks it for the next person', async () => {
  const { state } = open({ pathname: '/mostrador/entrega', state: { scanned: 'E1|41|482913' } });
  await screen.findByText('Marisol Ramos Díaz');
  expect([calls.length, state()]).toEqual([1, null]);
});
