import * as v from 'valibot';

const base = v.optional(v.string(), '');

/** Run-time configuration from the server. Every base defaults to the app's origin. */
const configSchema = v.object({
  productName: v.optional(v.string(), 'Aparta'),
  /** Whom a buyer asks about a payment. */
  help: v.optional(v.object({ email: v.string(), phone: v.string() }), { email: '', phone: '' }),
  wireName: v.optional(v.string(), 'aparta'),
  bases: v.optional(
    v.object({
      account: base,
      layaway: base,
      payments: base,
      operations: base,
      receivables: base,
      invoicing: base,
      notifications: base,
      ip: base,
    }),
    {},
  ),
  clipSdkUrl: v.optional(v.string(), 'https://sdk.clip.mx/js/clip-sdk.js'),
  threeDsOrigins: v.optional(v.array(v.string()), []),
  /** Enables the design system's page outside development. */
  designPage: v.optional(v.boolean(), false),
});

export type Config = v.InferOutput<typeof configSchema>;
export type ServiceBase = keyof Config['bases'];

function read(): Config {
  // During prerendering there is no document; the server fills in the token.
  if (typeof document === 'undefined') return v.parse(configSchema, { productName: '%PRODUCT_NAME%' });
  const text = document.getElementById('aparta-config')?.textContent;
  return v.parse(configSchema, text ? JSON.parse(text) : {});
}

export const config: Config = read();
