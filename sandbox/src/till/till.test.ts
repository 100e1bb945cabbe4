import { buildPaymentReference, dammCheckDigit } from '@aparta/domain/payment-reference';
import { expect, test } from 'vitest';
import { startProduct, startSandbox } from '../testing.ts';

const id = `123456789${dammCheckDigit('123456789')}`;
const layaway = buildPaymentReference(1, id);
const instalment = buildPaymentReference(2, id);

/** A till in front of a product that answers every operation with `error` 0. */
async function openTill() {
  const { origin, seen } = await startProduct(({ path }) => ({
    body: path === '/User/authenticate' ? { token: 't-1' } : { error: 0, mensaje: 'ok' },
  }));
  const { apiUrl } = await startSandbox({ productOrigin: origin });
  const press = async (form: Record<string, string>) => {
    const fields = { user: 'caja-demo', password: 'caja-demo-2026', compañia: 'C', sucursal: '1' };
    const page = await fetch(new URL('/till', apiUrl), {
      method: 'POST',
      body: new URLSearchParams({ ...fields, ...form }),
    });
    return page.text();
  };
  return { press, operations: () => seen.filter(({ path }) => path !== '/User/authenticate'), seen };
}

test('the till signs in and charges a layaway and an instalment by their own calls', async () => {
  const { press, seen, operations } = await openTill();
  await press({ referencia: layaway, importe: '600.00', idtransaccion: 'tx-1' });
  await press({ referencia: instalment, importe: '1200', idtransaccion: 'tx-2' });
  expect(seen[0]).toMatchObject({
    path: '/User/authenticate',
    body: { User: 'caja-demo', Password: 'caja-demo-2026' },
  });
  expect(operations().map(({ path, headers, body }) => [path, headers['authorization'], body])).toEqual([
    [
      '/PosOperations/OnLayaway',
      'Bearer t-1',
      { referencia: layaway, importe: 600, compañia: 'C', sucursal: '1', idtransaccion: 'tx-1' },
    ],
    [
      '/PosOperations/payment',
      'Bearer t-1',
      { referencia: instalment, importe: 1200, compañia: 'C', sucursal: '1', idtransaccion: 'tx-2' },
    ],
  ]);
});

test('every call stays on the page with its answer, and can be asked about again by its own number', async () => {
  const { press, operations } = await openTill();
  const page = await press({ referencia: layaway, importe: '600' });
  const { idtransaccion: made } = (operations()[0]?.body ?? {}) as { idtransaccion?: string };
  expect(page).toContain('&#34;error&#34;:0');
  expect(made).toMatch(/^[\da-f-]{36}$/);
  expect(page).toContain(`name="idtransaccion" value="${made}"`);
  for (const label of ['Repetir con el mismo idtransaccion', 'Consultar', 'Revertir'])
    expect(page).toContain(`>${label}</button>`);
});

test('asking takes the key of an operation alone; taking back carries the operation as it was', async () => {
  const { press, operations } = await openTill();
  const form = { referencia: instalment, importe: '1200', idtransaccion: 'tx-3' };
  await press({ ...form, operacion: 'query' });
  await press({ ...form, operacion: 'reverse' });
  const key = { compañia: 'C', sucursal: '1', idtransaccion: 'tx-3' };
  expect(operations().map(({ path, body }) => [path, body])).toEqual([
    ['/PosOperations/query', key],
    ['/PosOperations/reverse', { referencia: instalment, importe: 1200, ...key }],
  ]);
});
