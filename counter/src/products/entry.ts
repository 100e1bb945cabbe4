import { formatMoney, type Centavos } from '@aparta/domain/money';
import { describePlan, planProblem } from '@aparta/domain/plan';
import { typedSum } from '@aparta/browser/typed-sum.ts';
import type { Entry, Product, Terms } from '../data/products.ts';
import { productsCopy } from './copy.ts';
import type { Fields } from './draft.ts';

const copy = productsCopy.form;

/** One line, as the server keeps it. */
const lineOf = (typed: string) => typed.normalize('NFC').replaceAll(/\s+/g, ' ').trim();

/** What was typed as an entry, or what is wrong with it by field. Without `terms` the server alone knows whether the price makes a plan. */
export function entryFrom(
  fields: Fields,
  terms: Terms | undefined,
): { readonly entry: Entry } | { readonly errors: Readonly<Record<string, string>> } {
  const price = typedSum(fields.price);
  const name = lineOf(fields.name);
  const errors: Record<string, string> = {};
  if (name === '') errors['name'] = copy.nameWrong;
  if (price === undefined || price === 0) errors['price'] = copy.priceWrong;
  else if (terms && planOf(terms, price) === undefined) errors['price'] = copy.priceWithoutPlan;
  if (price === undefined || Object.keys(errors).length > 0) return { errors };
  return {
    entry: {
      name,
      price,
      sku: lineOf(fields.sku),
      description: lineOf(fields.description),
      ivaPercent: Number(fields.ivaPercent),
      invoicingKey: lineOf(fields.invoicingKey),
    },
  };
}

/** What a buyer would be offered for a price, by the rule that the server asks; undefined where it makes no plan. */
export function planOf(
  terms: Terms,
  priceCentavos: Centavos,
): Omit<NonNullable<Product['plan']>, 'link'> | undefined {
  const whole = { ...terms, priceCentavos };
  if (planProblem(whole) !== undefined) return undefined;
  const { depositCentavos, laterInstalments, eachCentavos, lastCentavos } = describePlan(whole);
  return {
    deposit: depositCentavos,
    payments: laterInstalments + 1,
    each: eachCentavos,
    last: lastCentavos,
    everyDays: terms.frequencyDays,
  };
}

const SAID = ['name', 'price', 'sku', 'description', 'ivaPercent', 'invoicingKey'] as const;

/** What a product says now that an entry says otherwise, in words. */
export function differencesOf(product: Product, entry: Entry): { label: string; text: string }[] {
  return SAID.filter((field) => product[field] !== entry[field]).map((field) => ({
    label: copy.labels[field],
    text:
      field === 'price'
        ? formatMoney(product.price)
        : field === 'ivaPercent'
          ? copy.percent(product.ivaPercent)
          : product[field] || copy.empty,
  }));
}
