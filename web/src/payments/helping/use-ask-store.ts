import { ApiError } from '@aparta/browser/api-error.ts';
import { alertFor } from '@aparta/browser/copy.ts';
import { useEffect, useRef, useState } from 'react';
import { askStoreNumber, type HelpReference } from '../../data/helping.ts';
import { helpNumber } from '../../session/help-number.ts';
import type { FormNotice } from '../card-reducer.ts';
import { helpingCopy as copy } from './copy.ts';
import { beginWork, type Given } from './use-helping.ts';

/** Refusals after which the screen has to be read again. */
const OVERTAKEN = ['NOT_FOUND', 'AMOUNT_CHANGED', 'PURCHASE_SETTLED'];

/**
 * Asks for a number for stores. What was sent and not answered is sent by the same id, so that it is the same number; what changed
 * since gets an id, and work, of its own.
 */
export function useAskStore(
  code: string,
  isWanted: boolean,
  { onNumber, onOvertaken }: { onNumber: (number: HelpReference) => void; onOvertaken: () => void },
): { isAsking: boolean; notice: FormNotice | undefined; ask: (given: Given) => Promise<void> } {
  const [isAsking, setAsking] = useState(false);
  const [notice, setNotice] = useState<FormNotice>();
  const work = useRef<{ id: ReturnType<typeof beginWork>; sent?: string }>(undefined);
  useEffect(() => {
    // While name and address are typed.
    if (isWanted) work.current ??= { id: beginWork(code) };
  }, [isWanted, code]);

  async function ask(given: Given): Promise<void> {
    setAsking(true);
    setNotice(undefined);
    const what = JSON.stringify(given);
    const isFresh = work.current !== undefined && (work.current.sent ?? what) === what;
    const mine = isFresh && work.current ? work.current : { id: beginWork(code) };
    work.current = { ...mine, sent: what };
    try {
      const number = await askStoreNumber({ ...given, ...mine.id, code });
      work.current = undefined;
      helpNumber.keep(code, number);
      onNumber(number);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const refused = error.failure.kind === 'refused' ? error.failure.code : undefined;
      if (refused === 'PROVIDER_DOWN') setNotice(copy.storesDown);
      else {
        const { title, text } = alertFor(error);
        setNotice({ title, ...(text !== undefined && { text }) });
      }
      if (refused !== undefined && OVERTAKEN.includes(refused)) onOvertaken();
    } finally {
      setAsking(false);
    }
  }
  return { isAsking, notice, ask };
}
