import * as v from 'valibot';
import { tabStorage } from '@aparta/browser/storage.ts';
import { FISCAL_DRAFT as DRAFT } from './kept-keys.ts';

const saved = v.object({ buyerId: v.number(), clientId: v.nullable(v.number()), values: v.unknown() });

/** This tab's unsaved fiscal form: of a new client (`undefined`) or of one being corrected. */
export const fiscalDraft = {
  save(buyerId: number, clientId: number | undefined, values: object) {
    tabStorage.set(DRAFT, JSON.stringify({ buyerId, clientId: clientId ?? null, values }));
  },

  /** The draft, for the buyer who typed it. */
  of(buyerId: number, clientId: number | undefined): unknown {
    try {
      const draft = v.parse(saved, JSON.parse(tabStorage.get(DRAFT) ?? ''));
      return draft.buyerId === buyerId && draft.clientId === (clientId ?? null) ? draft.values : undefined;
    } catch {
      return undefined;
    }
  },

  /** After saving or cancelling. */
  clear() {
    tabStorage.remove(DRAFT);
  },
};
