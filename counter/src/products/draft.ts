import { newId } from '@aparta/browser/new-id.ts';
import { tabStorage } from '@aparta/browser/storage.ts';
import { decimal } from '@aparta/domain/money';
import { useState } from 'react';
import * as v from 'valibot';
import type { Product } from '../data/products.ts';
import { useSession } from '../session/session.ts';

const fields = v.object({
  name: v.string(),
  price: v.string(),
  sku: v.string(),
  description: v.string(),
  ivaPercent: v.string(),
  invoicingKey: v.string(),
});
/** What the fields of a product hold, as it was typed. */
export type Fields = v.InferOutput<typeof fields>;

const draft = v.object({
  /** Of a new product: its press, so that sending it again adds nothing. */
  pressId: v.string(),
  /** Of a product that is there: the version that was read. */
  version: v.number(),
  fields,
});
export type Draft = v.InferOutput<typeof draft>;

/** An empty form. */
export const newDraft = (): Draft => ({
  pressId: newId(),
  version: 0,
  fields: { name: '', price: '', sku: '', description: '', ivaPercent: '16', invoicingKey: '' },
});

/** A form that says what a product says. */
export function draftOf({
  version,
  name,
  price,
  sku,
  description,
  ivaPercent,
  invoicingKey,
}: Product): Draft {
  const typed = {
    name,
    sku,
    description,
    invoicingKey,
    price: decimal(price),
    ivaPercent: String(ivaPercent),
  };
  return { pressId: newId(), version, fields: typed };
}

const keyOf = (positionId: string, of: number | 'new') => `mostrador.product.${positionId}.${of}`;

function read(key: string): Draft | undefined {
  try {
    return v.parse(draft, JSON.parse(tabStorage.get(key) ?? ''));
  } catch {
    // There is none, or another version wrote it.
    return undefined;
  }
}

/**
 * What somebody types of a product, which outlives a reload, the back button and a session's end in this tab. `wasKept`: it was
 * here before.
 */
export function useDraft(of: number | 'new', fresh: () => Draft) {
  const positionId = useSession()?.position.positionId ?? '';
  const key = keyOf(positionId, of);
  const [state, setState] = useState(() => {
    const kept = read(key);
    return { draft: kept ?? fresh(), wasKept: kept !== undefined };
  });

  function put(next: Draft): void {
    tabStorage.set(key, JSON.stringify(next));
    setState({ ...state, draft: next });
  }
  return {
    ...state,
    put,
    type: (name: keyof Fields, text: string) =>
      put({ ...state.draft, fields: { ...state.draft.fields, [name]: text } }),
    /** After it was saved, or is not wanted. */
    forget: () => tabStorage.remove(key),
    startAnew() {
      tabStorage.remove(key);
      setState({ draft: fresh(), wasKept: false });
    },
    /** Goes on as a change of a product that is there. */
    moveTo: (id: number, version: number) => {
      tabStorage.set(keyOf(positionId, id), JSON.stringify({ ...state.draft, version }));
      tabStorage.remove(key);
    },
  };
}
