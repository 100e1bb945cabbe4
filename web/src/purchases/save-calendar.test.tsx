import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer, ok, refuse } from '../../test/server.ts';
import SaveCalendar from './save-calendar.tsx';

let answer: ReturnType<typeof ok> | ReturnType<typeof refuse> = ok({
  fileName: 'pagos-compra-7.ics',
  contentByteArray: btoa('BEGIN:VCALENDAR'),
});
fakeServer({ 'GET /v1/Sales/CalendarAsync/7': () => answer });

test('a purchase’s dates are saved under a name, and a failure says why', async () => {
  const { user } = show(
    <QueryClientProvider client={new QueryClient()}>
      <SaveCalendar purchaseId={7} />
    </QueryClientProvider>,
  );
  const button = screen.getByRole('button', { name: 'Guardar fechas en mi calendario' });
  await user.click(button);
  await expect.poll(() => screen.getByRole('status').textContent).toContain('pagos-compra-7.ics');
  answer = refuse(409, 'PURCHASE_CANCELLED');
  await user.click(button);
  expect((await screen.findByRole('alert')).textContent).toContain('No pudimos preparar tus fechas');
});
