import { act, render } from '@testing-library/react';
import { Suspense, use } from 'react';
import { expect, test } from 'vitest';
import { useLinkCode } from './link-code.ts';

test('the code of a link is known however often its screen is begun, and leaves the address bar', async () => {
  history.replaceState(null, '', '/mostrador/equipo#code=one-of-43');
  const { promise, resolve } = Promise.withResolvers<void>();
  function Screen() {
    const code = useLinkCode();
    use(promise);
    return <p>code: {code}</p>;
  }
  const suspended = (
    <Suspense>
      <Screen />
    </Suspense>
  );
  const { getByText } = await act(async () => render(suspended));
  await act(async () => resolve());
  getByText('code: one-of-43');
  expect(location.href).not.toContain('one-of-43');
});
