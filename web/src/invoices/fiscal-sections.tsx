import {
  normaliseFiscalName,
  parseRfc,
  regimesFor,
  rfcCheckDigitMatches,
  usesFor,
} from '@aparta/domain/fiscal';
import { Button } from '@aparta/ui/button.tsx';
import { Choice } from '@aparta/ui/choice.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Select } from '@aparta/ui/other-fields.tsx';
import text from '@aparta/ui/text.module.css';
import type { FiscalValues } from '../data/fiscal-clients.ts';
import { personTypeOf, typeInRfc } from './fiscal-check.ts';
import { fiscalFormCopy as copy } from './fiscal-form-copy.ts';
import styles from './fiscal-form.module.css';

/** The contract's limits. */
const LENGTHS = {
  rfc: 30,
  alias: 120,
  name: 254,
  email: 254,
  phone: 30,
  street: 200,
  suburb: 120,
  zip: 10,
} as const;
export type Written = keyof typeof LENGTHS;
export type Chosen = 'regime' | 'cfdiUse';

/** What the form keeps, and what its sections do with it. */
export type FiscalInput = {
  values: FiscalValues;
  busy: boolean;
  errorOf: (field: Written | Chosen) => string | undefined;
  /** Whether a field counts as answered. */
  isLeft: (field: Written) => boolean;
  change: (part: Partial<FiscalValues>) => void;
  leave: (field: Written) => void;
};

const written = ({ values, busy, errorOf, change, leave }: FiscalInput, name: Written) => ({
  name,
  error: errorOf(name),
  value: values[name],
  maxLength: LENGTHS[name],
  readOnly: busy,
  onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  onBlur: () => leave(name),
});

const chosen = ({ values, errorOf, change }: FiscalInput, name: Chosen) => ({
  name,
  error: errorOf(name),
  value: values[name],
  required: true,
  onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
});

/** What SAT has registered: RFC, type of person, name, regime and use. */
export function Registry({ of }: { of: FiscalInput }) {
  const { values, change } = of;
  const type = personTypeOf(values);
  const parsed = parseRfc(values.rfc);
  return (
    <fieldset className={styles.group}>
      <legend>{copy.registry}</legend>
      <div className={styles.grid}>
        <Field
          {...written(of, 'rfc')}
          label={copy.rfc}
          hint={copy.rfcHint}
          warning={
            of.isLeft('rfc') && parsed.ok && !rfcCheckDigitMatches(parsed.rfc) ? copy.rfcOdd : undefined
          }
          required
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <Field {...written(of, 'alias')} label={copy.alias} hint={copy.aliasHint} autoComplete="off" />
        <div className={styles.all}>
          <Choice
            legend={copy.personType}
            name="personType"
            options={[
              { value: 'fisica', label: copy.personTypes.fisica },
              { value: 'moral', label: copy.personTypes.moral },
            ]}
            value={type}
            only={typeInRfc(values.rfc)}
            onChange={(chosenType) => change({ chosenType })}
          />
        </div>
        <Name of={of} />
        <div className={styles.all}>
          <Select
            {...chosen(of, 'regime')}
            label={copy.regime}
            options={[
              { value: '', label: type ? copy.chooseRegime : copy.regimeFirst },
              ...(type ? regimesFor(type).map(asOption) : []),
            ]}
          />
        </div>
        <div className={styles.all}>
          <Select
            {...chosen(of, 'cfdiUse')}
            label={copy.use}
            options={
              values.regime === ''
                ? [{ value: '', label: copy.useFirst }]
                : usesFor(values.regime).map(asOption)
            }
          />
        </div>
      </div>
    </fieldset>
  );
}

/** The name as SAT writes it, and an offer to leave the company's suffix out. */
function Name({ of }: { of: FiscalInput }) {
  const type = personTypeOf(of.values);
  const shorter = type && normaliseFiscalName(of.values.name, type).withoutSuffix;
  return (
    <div className={`${styles.all} ${text.tight}`}>
      <Field
        {...written(of, 'name')}
        label={copy.name}
        hint={copy.nameHint[type ?? 'fisica']}
        required
        autoComplete={type === 'moral' ? 'organization' : 'name'}
        autoCapitalize="characters"
      />
      <div role="status">
        {shorter && (
          <div className={styles.shorter}>
            <p className={`${text.muted} ${text.small}`}>{copy.shorter}</p>
            <Button small onClick={() => of.change({ name: shorter })}>
              {copy.useShorter(shorter)}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

/** The fiscal address; SAT checks its postal code only. */
export function Address({ of }: { of: FiscalInput }) {
  return (
    <fieldset className={styles.group}>
      <legend>{copy.address}</legend>
      <div className={styles.grid}>
        <Field
          {...written(of, 'zip')}
          label={copy.zip}
          hint={copy.zipHint}
          required
          autoComplete="postal-code"
          inputMode="numeric"
        />
        <Field
          {...written(of, 'suburb')}
          label={copy.suburb}
          hint={copy.optional}
          autoComplete="address-level3"
        />
        <div className={styles.all}>
          <Field
            {...written(of, 'street')}
            label={copy.street}
            hint={copy.optional}
            autoComplete="address-line1"
          />
        </div>
      </div>
    </fieldset>
  );
}

export function Contact({ of }: { of: FiscalInput }) {
  return (
    <fieldset className={styles.group}>
      <legend>{copy.contact}</legend>
      <div className={styles.grid}>
        <Field
          {...written(of, 'email')}
          label={copy.email}
          hint={copy.emailHint}
          type="email"
          required
          autoComplete="email"
          inputMode="email"
        />
        <Field
          {...written(of, 'phone')}
          label={copy.phone}
          hint={copy.optional}
          type="tel"
          autoComplete="tel"
          inputMode="tel"
        />
      </div>
    </fieldset>
  );
}

const asOption = ({ code, name }: { code: string; name: string }) => ({
  value: code,
  label: `${code} · ${name}`,
});
