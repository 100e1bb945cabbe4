import * as v from 'valibot';

const configSchema = v.object({
  productName: v.optional(v.string(), 'Aparta'),
  /** Whom the people of a shop ask. */
  help: v.optional(v.object({ email: v.string(), phone: v.string() }), { email: '', phone: '' }),
});

/** What the server says in the document. */
export const config = v.parse(
  configSchema,
  JSON.parse(document.getElementById('aparta-config')?.textContent ?? '{}'),
);
