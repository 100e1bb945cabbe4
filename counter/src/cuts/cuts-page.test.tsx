import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { Router } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, luisAtCounter, ok } from '../../../web/test/server.ts';
import { session } from '../session/session.ts';
import CutsPage from './cuts-page.tsx';

fakeServer({
  'GET /v1/counter/closed-branches': ok([]),
  'GET /v1/counter/shifts': ok([
    {
      branchId: 1,
      branch: 'Centro',
      positionId: luisAtCounter.position.positionId,
      name: 'Luis',
      cashTaken: 600,
      cashReturned: 0,
      terminalTaken: 0,
      terminalReturned: 0,
      movements: 1,
      since: null,
      list: [],
    },
  ]),
  'GET /v1/counter/cuts': { body: { isSuccess: true, message: '', data: [], next: null, total: 0 } },
});

beforeEach(() => session.open(luisAtCounter));

test.each(['click', 'Enter'])(
  'who begins to count their drawer, by %s, types at once what was in it at the start',
  async (press) => {
    const { user } = show(
      <Router base="/mostrador">
        <QueryClientProvider client={openCache()}>
          <CutsPage />
        </QueryClientProvider>
      </Router>,
      '/mostrador/corte',
    );
    const begin = await screen.findByRole('button', { name: 'Contar y cerrar' });
    begin.focus();
    await (press === 'click' ? user.click(begin) : user.keyboard('{Enter}'));
    expect(document.activeElement).toBe(screen.getByLabelText('Fondo de caja'));
  },
);
