import { createHmac } from 'node:crypto';

/** The address of the server's own login in the database of `ownerUrl`, for development and tests: `migrate` makes it. */
export function serverUrlOf(ownerUrl: string): string {
  return ownerUrl.replace(/^(postgres(?:ql)?:\/\/)(?:[^@/]*@)?/, (login, scheme: string) => {
    const password = createHmac('sha256', login).update('aparta_server').digest('hex');
    return `${scheme}aparta_server:${password}@`;
  });
}
