/** What a browser calls itself, as far as it may be shown: printable ASCII, at most 200 characters. */
export function browserOf(userAgent: string | undefined): string {
  return (userAgent ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, 200);
}

/** The same of the browser that calls. */
export const deviceOf = (header: (name: string) => string | undefined): string =>
  browserOf(header('user-agent'));
