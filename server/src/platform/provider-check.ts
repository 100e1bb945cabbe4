/** What a provider said to a harmless call that needs our keys. `why` is a status or a code, nothing more. */
export type ProviderCheck =
  | { readonly kind: 'works' }
  | { readonly kind: 'refused' | 'unreachable' | 'in_trouble'; readonly why: string };

/** A call that failed: our keys were refused, nobody was reached, or what answered is in trouble. */
export function failedCheck(why: string): ProviderCheck {
  if (/^(status )?40[13]\b/.test(why)) return { kind: 'refused', why };
  return { kind: /^(status )?[1-5]\d\d\b/.test(why) ? 'in_trouble' : 'unreachable', why };
}
