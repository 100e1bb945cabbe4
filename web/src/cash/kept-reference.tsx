import { useState } from 'react';
import { Redirect } from 'wouter';
import { paths } from '../app/paths.ts';
import { referenceOnDevice } from '../data/cash-references.ts';
import { Waiting } from './waiting.tsx';

/** The store reference last shown on this device, in a tab that was opened without internet and so without a session. */
export function KeptReference({ instalmentId }: { instalmentId: number }) {
  const [reference] = useState(() => referenceOnDevice(instalmentId, new Date()));
  if (!reference) return <Redirect to={paths.login} replace />;
  return (
    <main>
      <Waiting
        reference={reference}
        instalment={undefined}
        isOld
        check={() => location.reload()}
        isChecking={false}
      />
    </main>
  );
}
