import { expect, test } from 'vitest';
import { cancelledStory } from '../../../web/test/shop-story.ts';
import { onlySeen } from './seen-store.ts';
import { maySee } from './seen.ts';

test('What a code is of, purchases, the shelf and the day are kept; quotes, codes that were tried, people and searches are not', () => {
  const may = [
    ['owed', '21000482101'],
    ['purchase', 41],
    ['purchases', 'paid_off', ''],
    ['shelf', 1],
    ['today'],
  ];
  for (const key of may) expect(maySee(key), JSON.stringify(key)).toBe(true);
  const never = [
    ['purchases', 'all', 'Marisol Reyes'],
    ['end quote', 41],
    ['offer', { code: 'x', digits: '123456' }],
    ['press', 'id'],
    ['handed over', 'id'],
    ['device'],
    ['staff'],
    ['sessions'],
    ['webhooks'],
  ];
  for (const key of never) expect(maySee(key), JSON.stringify(key)).toBe(false);
});

test('Of people a short name alone is kept, no telephone and nothing in a buyer’s words', () => {
  const story = {
    ...cancelledStory,
    contact: { name: 'Marisol Reyes Díaz', phone: '5512345678' },
    handedOver: {
      at: new Date(0),
      branch: 'Centro',
      by: 'Luis',
      collector: 'Rosa Luna Martínez',
      signed: true,
    },
    claim: { claimFolio: 'A7K2993104', notes: 'Vivo en Roble 3' },
    refunds: [{ id: 1, payerName: 'Iván Ortega Ruiz' }],
  };
  const kept = JSON.stringify(onlySeen(story, ['purchase', 41]));
  for (const said of ['Marisol R.', 'Rosa L.', 'Iván O.', 'Lavadora']) expect(kept).toContain(said);
  for (const secret of ['Reyes', '5512345678', 'Luna', 'Ortega', 'Roble']) expect(kept).not.toContain(secret);
});
