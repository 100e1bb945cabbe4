import { openCache } from '@aparta/browser/query-cache.ts';
import type { CounterProduct } from '@aparta/contract/counter-products';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { Router } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, luisAtCounter, ok, refuse } from '../../../web/test/server.ts';
import { session } from '../session/session.ts';
import ProductPage from './product-page.tsx';

const NAMES = ['Angelópolis', 'Centro'];
let product: CounterProduct;

fakeServer({
  'GET /v1/counter/products/5': () => ok(product),
  'POST /v1/counter/products/5/units': ({ body }) => {
    const { branchId, free } = body as { branchId: number; free: number };
    const branch = NAMES[branchId - 1] ?? '';
    product = { ...product, units: { free, branches: [{ branchId, branch, free, held: 0 }] } };
    return ok(product);
  },
  'POST /v1/counter/products/5/picture': () => refuse(413, 'BODY_TOO_LARGE'),
  'POST /v1/counter/products/5/stop-counting': () => ok((product = { ...product, units: null })),
});

beforeEach(() => {
  product = {
    id: 5,
    sku: '',
    name: 'Lavadora',
    description: '',
    price: 3000,
    ivaPercent: 16,
    invoicingKey: '',
    onSale: true,
    pictures: null,
    version: 1,
    units: null,
    plan: null,
  };
  session.open({
    ...luisAtCounter,
    position: { ...luisAtCounter.position, role: 'owner' },
    branches: NAMES.map((name, at) => ({ id: at + 1, name, address: '', hours: '', phone: '' })),
  });
});

function open() {
  return show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <ProductPage id={5} />
      </QueryClientProvider>
    </Router>,
    '/mostrador/productos/5',
  );
}

test('whoever comes to a product from another screen is at its name once it is read', async () => {
  const before = open();
  await screen.findByRole('heading', { level: 1, name: 'Lavadora' });
  before.unmount();
  open();
  const name = await screen.findByRole('heading', { level: 1, name: 'Lavadora' });
  await expect.poll(() => document.activeElement).toBe(name);
});

test('an owner who begins to count units types those of the first branch at once', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Contar piezas' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Para vender en Angelópolis'));
});

test('the branches stay where they are when an owner saves what the second one has', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Contar piezas' }));
  const centro = screen.getByLabelText('Para vender en Centro');
  await user.clear(centro);
  await user.type(centro, '4{Enter}');
  expect(await screen.findByText('4 para vender')).toBeTruthy();
  expect(screen.getAllByLabelText(/^Para vender en/)).toEqual([
    screen.getByLabelText('Para vender en Angelópolis'),
    centro,
  ]);
});

test('an owner who stops counting, after they began to, may begin again at once', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Contar piezas' }));
  await user.type(screen.getByLabelText('Para vender en Angelópolis'), '4{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Dejar de contar' }));
  expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Contar piezas' }));
  expect(screen.queryByLabelText(/^Para vender en/)).toBeNull();
});

test('an owner whose photo is too large to be sent reads that, and which one serves', async () => {
  const { user } = open();
  const [chooser] = await screen.findAllByLabelText('Agregar foto', { selector: 'input' });
  await user.upload(chooser as HTMLElement, new File(['x'], 'sala.jpg', { type: 'image/jpeg' }));
  expect((await screen.findByRole('alert')).textContent).toMatch(/demasiado grande.*menos de 8 MB/);
});
