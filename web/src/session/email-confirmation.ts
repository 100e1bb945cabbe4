import { tabStorage } from '@aparta/browser/storage.ts';

const CODE = 'confirmCode';

/** The one-time code from an email's link, stored for this tab until used. */
export const emailConfirmation = {
  save: (code: string) => tabStorage.set(CODE, code),
  code: () => tabStorage.get(CODE),
  clear: () => tabStorage.remove(CODE),
};
