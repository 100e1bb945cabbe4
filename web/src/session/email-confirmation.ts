import { tabStorage } from './storage.ts';

const CODE = 'confirmCode';

/** The one-time code that the link of a letter brought, kept for this tab until it is used up. */
export const emailConfirmation = {
  keep: (code: string) => tabStorage.set(CODE, code),
  code: () => tabStorage.get(CODE),
  drop: () => tabStorage.remove(CODE),
};
