import {
  normaliseFiscalName,
  parseRfc,
  regimesFor,
  rfcCheckDigitMatches,
  usesFor,
} from '@aparta/domain/fiscal';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Choice } from '@aparta/ui/choice.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Field, Select } from '@aparta/ui/field.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import * as v from 'valibot';
import { isRefused } from '../api/api-error.ts';
import { paths } from '../app/paths.ts';
import { sentenceFor } from '../copy/refusals.ts';
import {
  FISCAL_FIELDS,
  refusedFields,
  savingFiscalClient,
  type FiscalClient,
  type FiscalField,
  type FiscalValues,
} from '../data/fiscal-clients.ts';
import { fiscalDraft } from '../session/fiscal-draft.ts';
import { fiscalCopy, wrongWords } from './fiscal-copy.ts';
import {
  changed,
  normalised,
  normalisedForm,
  personTypeOf,
  problemsOf,
  typeInRfc,
  type FiscalProblems,
} from './fiscal-check.ts';
import styles from './fiscal.module.css';

const copy = fiscalCopy.form;

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

const none: FiscalProblems = {};

/** Spec §2, the fiscal form: adds a fiscal client, or corrects `client`. */
export function FiscalForm({
  buyerId,
  client,
  start,
  faulty,
  onSaved,
  onFresh,
}: {
  buyerId: number;
  client: FiscalClient | undefined;
  start: FiscalValues;
  /** The field that SAT refused on an invoice: focused and marked. */
  faulty: FiscalField | undefined;
  onSaved: (registered: FiscalClient) => void;
  /** To an empty form. */
  onFresh: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [values, setValues] = useState(() => draft(buyerId, client?.id) ?? client?.values ?? start);
  /** Touched fields: only those show errors. */
  const [left, setLeft] = useState<ReadonlySet<FiscalField>>(new Set());
  /** Errors from the server or SAT, until the field changes. */
  const [refused, setRefused] = useState(faulty ? { [faulty]: 'refused' as const } : none);
  /** Number of submits with an invalid field; moves focus each time. */
  const [stopped, setStopped] = useState(0);
  const save = useMutation(savingFiscalClient(useQueryClient(), buyerId, client?.id));

  const isCorrected = client !== undefined;
  useEffect(() => {
    if (!isCorrected) return;
    // After the screen itself has taken focus.
    const timer = setTimeout(() => {
      const field = faulty && form.current?.querySelector<HTMLElement>(`[name=${faulty}]`);
      const target = field || heading.current;
      target?.focus({ preventScroll: true });
      target?.scrollIntoView({ block: 'center' });
      // Selects the text, as the Tab key would.
      if (field instanceof HTMLInputElement) field.select();
    });
    return () => clearTimeout(timer);
  }, [isCorrected, faulty]);
  useEffect(() => {
    if (stopped > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [stopped]);

  const problems = problemsOf(values);
  const type = personTypeOf(values);
  const parsed = parseRfc(values.rfc);
  const shorter = type && normaliseFiscalName(values.name, type).withoutSuffix;

  function change(part: Partial<FiscalValues>) {
    const next = changed(values, part);
    setValues(next);
    setRefused(Object.fromEntries(Object.entries(refused).filter(([field]) => !(field in part))));
    fiscalDraft.save(buyerId, client?.id, next);
  }

  async function submit() {
    if (save.isPending) return;
    setLeft(new Set(FISCAL_FIELDS));
    setRefused(none);
    if (Object.keys(problems).length > 0) {
      save.reset();
      setStopped(stopped + 1);
      return;
    }
    let registered: FiscalClient;
    try {
      registered = await save.mutateAsync(normalisedForm(values));
    } catch (error) {
      setRefused(refusedIn(error));
      setStopped(stopped + 1);
      return;
    }
    onSaved(registered);
  }

  const about = (field: FiscalField) => {
    const problem = refused[field] ?? (left.has(field) ? problems[field] : undefined);
    return { name: field, error: problem && wrongWords(field, problem) };
  };
  const field = (name: keyof typeof LENGTHS) => ({
    ...about(name),
    value: values[name],
    maxLength: LENGTHS[name],
    readOnly: save.isPending,
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
    onBlur: () => {
      const tidy = normalised(name, values);
      if (tidy !== values[name]) change({ [name]: tidy });
      // Leaving a field empty is not an answer yet.
      if (tidy !== '') setLeft(new Set([...left, name]));
    },
  });
  const choice = (name: 'regime' | 'cfdiUse') => ({
    ...about(name),
    value: values[name],
    required: true,
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });

  return (
    <form
      ref={form}
      method="post"
      noValidate
      className={styles.form}
      aria-labelledby="forma-fiscal"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className={text.tight}>
        <h2 id="forma-fiscal" tabIndex={-1} ref={heading}>
          {client ? copy.correct(client.values.rfc) : copy.add}
        </h2>
        <p className={text.muted}>{copy.intro}</p>
        {client && (
          <div>
            <Button small onClick={onFresh}>
              {copy.fresh}
            </Button>
          </div>
        )}
      </div>
      <fieldset className={styles.group}>
        <legend>{copy.registry}</legend>
        <div className={styles.grid}>
          <Field
            {...field('rfc')}
            label={copy.rfc}
            hint={copy.rfcHint}
            warning={
              left.has('rfc') && parsed.ok && !rfcCheckDigitMatches(parsed.rfc) ? copy.rfcOdd : undefined
            }
            required
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
          <Field {...field('alias')} label={copy.alias} hint={copy.aliasHint} autoComplete="off" />
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
          <div className={`${styles.all} ${text.tight}`}>
            <Field
              {...field('name')}
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
                  <Button small onClick={() => change({ name: shorter })}>
                    {copy.useShorter(shorter)}
                  </Button>
                </div>
              )}
            </div>
          </div>
          <div className={styles.all}>
            <Select
              {...choice('regime')}
              label={copy.regime}
              options={[
                { value: '', label: type ? copy.chooseRegime : copy.regimeFirst },
                ...(type ? regimesFor(type).map(asOption) : []),
              ]}
            />
          </div>
          <div className={styles.all}>
            <Select
              {...choice('cfdiUse')}
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
      <fieldset className={styles.group}>
        <legend>{copy.address}</legend>
        <div className={styles.grid}>
          <Field
            {...field('zip')}
            label={copy.zip}
            hint={copy.zipHint}
            required
            autoComplete="postal-code"
            inputMode="numeric"
          />
          <Field
            {...field('suburb')}
            label={copy.suburb}
            hint={copy.optional}
            autoComplete="address-level3"
          />
          <div className={styles.all}>
            <Field
              {...field('street')}
              label={copy.street}
              hint={copy.optional}
              autoComplete="address-line1"
            />
          </div>
        </div>
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{copy.contact}</legend>
        <div className={styles.grid}>
          <Field
            {...field('email')}
            label={copy.email}
            hint={copy.emailHint}
            type="email"
            required
            autoComplete="email"
            inputMode="email"
          />
          <Field
            {...field('phone')}
            label={copy.phone}
            hint={copy.optional}
            type="tel"
            autoComplete="tel"
            inputMode="tel"
          />
        </div>
      </fieldset>
      {save.error &&
        (refusedFields(save.error).length > 0 ? (
          <Notice tone="danger" title={sentenceFor(save.error)} urgent />
        ) : (
          <Failed title={copy.notSaved} text={sentenceFor(save.error)} onRetry={() => void submit()} />
        ))}
      <div className={styles.acts}>
        <Button
          type="submit"
          variant="primary"
          wide
          busy={save.isPending ? (client ? copy.updating : copy.inserting) : undefined}
        >
          {client ? copy.update : copy.insert}
        </Button>
        <ButtonLink to={paths.homeLink} variant="quiet" wide>
          {copy.cancel}
        </ButtonLink>
      </div>
    </form>
  );
}

const asOption = ({ code, name }: { code: string; name: string }) => ({
  value: code,
  label: `${code} · ${name}`,
});

function refusedIn(error: unknown): FiscalProblems {
  if (isRefused(error, 'FISCAL_CLIENT_EXISTS')) return { rfc: 'exists' };
  return Object.fromEntries(refusedFields(error).map((name) => [name, 'refused' as const]));
}

const typed = v.object({
  ...v.entriesFromList(FISCAL_FIELDS, v.string()),
  chosenType: v.picklist(['', 'fisica', 'moral']),
});

function draft(buyerId: number, clientId: number | undefined): FiscalValues | undefined {
  const saved = v.safeParse(typed, fiscalDraft.of(buyerId, clientId));
  return saved.success ? saved.output : undefined;
}
