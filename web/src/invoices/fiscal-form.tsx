import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type RefObject } from 'react';
import * as v from 'valibot';
import { isRefused } from '@aparta/browser/api-error.ts';
import { paths } from '../app/paths.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import {
  FISCAL_FIELDS,
  refusedFields,
  savedUnanswered,
  savingFiscalClient,
  type FiscalClient,
  type FiscalField,
  type FiscalValues,
} from '../data/fiscal-clients.ts';
import { fiscalDraft } from '../session/fiscal-draft.ts';
import { fiscalFormCopy as copy, wrongWords } from './fiscal-form-copy.ts';
import { changed, normalised, normalisedForm, problemsOf } from './fiscal-check.ts';
import { Address, Contact, Registry, type FiscalInput } from './fiscal-sections.tsx';
import styles from './fiscal-form.module.css';

/** Spec §2, the fiscal form: adds a fiscal client, or corrects `client`. */
export default function FiscalForm({
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
  const [values, setValues] = useState(() => draft(buyerId, client?.id) ?? client?.values ?? start);
  /** Touched fields: only those show errors. */
  const [left, setLeft] = useState<ReadonlySet<FiscalField>>(new Set());
  const queries = useQueryClient();
  const save = useMutation(savingFiscalClient(queries, buyerId, client?.id));
  const problems = problemsOf(values);

  const form = useSubmit({
    check() {
      setLeft(new Set(FISCAL_FIELDS));
      return Object.keys(problems).length > 0 ? {} : undefined;
    },
    async send() {
      const sent = normalisedForm(values);
      try {
        onSaved(await save.mutateAsync(sent));
      } catch (error) {
        // Only the reply may be lost: then the list has it, above this form.
        const saved = savedUnanswered(queries, buyerId, sent, error);
        if (!saved) throw error;
        onSaved(saved);
      }
      return 'leaving';
    },
    refuse(error) {
      const fields = refusedFields(error);
      const sentence = sentenceFor(error);
      if (fields.length === 0) return { title: copy.notSaved, text: sentence };
      const problem = isRefused(error, 'FISCAL_CLIENT_EXISTS') ? 'exists' : 'refused';
      return {
        title: sentence,
        errors: Object.fromEntries(fields.map((field) => [field, wrongWords(field, problem)])),
      };
    },
    errors: faulty && { [faulty]: wrongWords(faulty, 'refused') },
  });
  const heading = useArrivalAtClient(form.element, client, faulty);

  function change(part: Partial<FiscalValues>) {
    const next = changed(values, part);
    setValues(next);
    // Of the server or SAT: they were about the earlier value.
    form.amend({ errors: Object.fromEntries(Object.keys(part).map((field) => [field, undefined])) });
    fiscalDraft.save(buyerId, client?.id, next);
  }

  const input: FiscalInput = {
    values,
    busy: form.busy,
    change,
    isLeft: (field) => left.has(field),
    leave(field) {
      const tidy = normalised(field, values);
      if (tidy !== values[field]) change({ [field]: tidy });
      // Leaving a field empty is not an answer yet.
      if (tidy !== '') setLeft(new Set([...left, field]));
    },
    errorOf(field) {
      const problem = left.has(field) ? problems[field] : undefined;
      return form.errors[field] ?? (problem && wrongWords(field, problem));
    },
  };

  return (
    <Form of={form} className={styles.form} aria-labelledby="forma-fiscal">
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
      <Registry of={input} />
      <Address of={input} />
      <Contact of={input} />
      {/* What a field can fix is not worth trying again as it is. */}
      {form.text === undefined ? (
        <RefusedNotice of={form} />
      ) : (
        <Failed title={copy.notSaved} text={form.text} onRetry={() => void form.submit()} />
      )}
      <div className={styles.acts}>
        <Button {...form.button(client ? copy.updating : copy.inserting)} variant="primary" wide>
          {client ? copy.update : copy.insert}
        </Button>
        <ButtonLink to={paths.homeLink} variant="quiet" wide onClick={fiscalDraft.clear}>
          {copy.cancel}
        </ButtonLink>
      </div>
    </Form>
  );
}

/** Focuses what there is to correct: the field at fault, else the heading, whose ref it returns. */
function useArrivalAtClient(
  form: RefObject<HTMLFormElement | null>,
  client: FiscalClient | undefined,
  faulty: FiscalField | undefined,
): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
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
  }, [form, isCorrected, faulty]);
  return heading;
}

const typed = v.object({
  ...v.entriesFromList(FISCAL_FIELDS, v.string()),
  chosenType: v.picklist(['', 'fisica', 'moral']),
});

function draft(buyerId: number, clientId: number | undefined): FiscalValues | undefined {
  const saved = v.safeParse(typed, fiscalDraft.of(buyerId, clientId));
  return saved.success ? saved.output : undefined;
}
