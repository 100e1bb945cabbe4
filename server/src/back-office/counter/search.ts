/** What somebody of a shop looks for: a printed number or folio, a purchase's own number, or a buyer. */
export type Search =
  | { readonly by: 'code'; readonly code: string }
  | { readonly by: 'id'; readonly id: number }
  | BuyerSearch;
/** By their telephone's end, or by words of their name. */
export type BuyerSearch =
  | { readonly by: 'phone'; readonly last4: string }
  | { readonly by: 'name'; readonly name: string };

/** Reads what was typed into the search of a list. */
export function searchOf(typed: string): Search {
  const joined = typed.replaceAll(/[\s-]/g, '');
  if (/^\d{4}$/.test(joined)) return { by: 'phone', last4: joined };
  if (/^[1-9]\d{4,8}$/.test(joined)) return { by: 'id', id: Number(joined) };
  if (/^\d+$/.test(joined) || /^(?=.*\d)[0-9a-z]{10}$/i.test(joined)) return { by: 'code', code: typed };
  return { by: 'name', name: typed };
}
