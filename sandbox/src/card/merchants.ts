/** A Clip account with its pair of keys. The API key is public (card frame), the secret is the server's. */
export type Merchant = {
  /** The API key. */
  id: string;
  secret: string;
  name: string;
  /** When false, every refund is refused with AI1805. */
  refunds: boolean;
};

/** The accounts that every sandbox starts with. Fixed, so that demo data can name them. */
export const demoMerchants: Merchant[] = [
  { id: 'a0000000-0000-4000-8000-000000000001', secret: 'demo-secret-1', name: 'Comercio 1', refunds: true },
  { id: 'a0000000-0000-4000-8000-000000000002', secret: 'demo-secret-2', name: 'Comercio 2', refunds: true },
  { id: 'a0000000-0000-4000-8000-000000000003', secret: 'demo-secret-3', name: 'Comercio 3', refunds: true },
];

/**
 * Whose call it is: `Basic base64(key:secret)`, or `Bearer test_<key>` as with Clip's test keys (a bare API
 * key is taken as a bearer too, like the real one does). Undefined for 401.
 */
export function merchantOf(
  authorization: string | undefined,
  find: (apiKey: string) => Merchant | undefined,
): Merchant | undefined {
  const [scheme = '', credential = ''] = (authorization ?? '').split(' ');
  if (scheme.toLowerCase() === 'bearer') return find(credential) ?? find(credential.replace(/^test_/, ''));
  if (scheme.toLowerCase() !== 'basic') return undefined;
  const [key = '', ...secret] = Buffer.from(credential, 'base64').toString('utf8').split(':');
  const merchant = find(key);
  return merchant?.secret === secret.join(':') ? merchant : undefined;
}
