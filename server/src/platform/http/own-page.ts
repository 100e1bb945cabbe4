/** The headers by which a browser says where a request comes from. */
export interface Origins {
  readonly site: string | undefined;
  readonly origin: string | undefined;
  readonly host: string | undefined;
}

/** Whether a page of ours sent it, in the words of the browser; one that says nothing did not. */
export function isFromOurPage({ site, origin, host }: Origins, publicOrigin: string): boolean {
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined || !URL.canParse(origin)) return false;
  return origin === publicOrigin || new URL(origin).host === host;
}
