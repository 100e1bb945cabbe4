import { tabKeep } from './storage.ts';

const CODE = 'confirmCode';

/** The one-time code that the link of a letter brought, kept for this tab until it is used up. */
export const emailConfirmation = {
  keep: (code: string) => tabKeep.set(CODE, code),
  code: () => tabKeep.get(CODE),
  drop: () => tabKeep.remove(CODE),
};
