import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useAlert, type AlertText } from './alert.tsx';
import { Notice } from './notice.tsx';

/** What a field held when the form was submitted, by its name; '' if it is empty, not ticked or not there. */
export type Typed = (name: string) => string;

/** What the screen shows of a submit that came to nothing. An empty one only makes the form usable again. */
export type Refusal = {
  /** Said in the form, where it has its `RefusedNotice`. */
  said?: { title: string; text?: string | undefined } | undefined;
  /** What is wrong with a field, by its name; until it changes. */
  errors?: Readonly<Record<string, string | undefined>>;
  /** The name of the field to focus. Without it: the first wrong one, if there is one. */
  focus?: string;
  /** Shown above everything, before the rest. */
  alert?: AlertText;
  /** Leads away, after the alert; the form stays busy. */
  leave?: () => void | Promise<void>;
};

type Steps = {
  /** What can be told without asking anybody. A refusal here sends nothing. */
  check?: (typed: Typed) => Refusal | undefined;
  /**
   * Sends, and leads on. What it throws goes to `refuse`; what it returns is shown as it is. `isOpen` is false once
   * the buyer has left the form: a second call should not go out then.
   */
  send: (typed: Typed, isOpen: () => boolean) => Promise<Refusal | undefined | void>;
  /** What to show of an error, a lost network among them. */
  refuse: (error: unknown) => Refusal;
  /** Errors to start with. */
  errors?: Refusal['errors'];
};

/** A form's state, and what its fields and its button need of it. */
export type Submit = {
  element: RefObject<HTMLFormElement | null>;
  /** From submit until it was refused; after a success until the screen has gone. */
  busy: boolean;
  said: Refusal['said'];
  errors: NonNullable<Refusal['errors']>;
  /** For a field that cannot be edited while busy. */
  field: <Name extends string>(name: Name) => { name: Name; error: string | undefined; readOnly: boolean };
  /** For the button; `busyLabel` is its label while busy. */
  button: (busyLabel: string) => { type: 'submit'; busy: string | undefined };
  /** Does nothing while one is running, or once the form has gone. */
  submit: () => Promise<void>;
  /** Whether a submit is running at this moment, for what was started in an earlier render. */
  isRunning: () => boolean;
  /** Sets or clears errors without moving focus. */
  mark: (errors: NonNullable<Refusal['errors']>) => void;
  dismiss: () => void;
};

/**
 * Submitting a `Form`: at most one at a time, whatever is pressed; what it was refused with; and focus on the first
 * wrong field. What was typed stays. Without a network `send` fails at once and nothing is sent later.
 */
export function useSubmit({ check, send, refuse, errors: atStart = {} }: Steps): Submit {
  const showAlert = useAlert();
  const element = useRef<HTMLFormElement>(null);
  // State changes too late to stop the second of two taps.
  const running = useRef(false);
  const [{ busy, refusal, refusals }, setState] = useState<{
    busy: boolean;
    refusal: Refusal;
    refusals: number;
  }>({ busy: false, refusal: { errors: atStart }, refusals: 0 });
  const errors = refusal.errors ?? {};

  const focusWrong = useEffectEvent(() => {
    const form = element.current;
    const field = refusal.focus
      ? form?.elements.namedItem(refusal.focus)
      : form?.querySelector('[aria-invalid]');
    if (field instanceof HTMLElement) field.focus();
  });
  // Once fields are marked and enabled again.
  useEffect(() => {
    if (refusals > 0) focusWrong();
  }, [refusals]);

  async function submit() {
    if (!element.current || running.current) return;
    running.current = true;
    const fields = new FormData(element.current);
    const typed: Typed = (name) => (fields.get(name) ?? '') as string;
    const isOpen = () => element.current !== null;
    let shown = check?.(typed);
    if (!shown) {
      setState((before) => ({ ...before, busy: true, refusal: {} }));
      try {
        shown = (await send(typed, isOpen)) ?? undefined;
      } catch (error) {
        shown = refuse(error);
      }
      if (!shown) return;
    }
    const { alert, leave, ...rest } = shown;
    if (alert && isOpen()) await showAlert(alert);
    if (leave) return isOpen() ? leave() : undefined;
    running.current = false;
    setState((before) => ({ busy: false, refusal: rest, refusals: before.refusals + 1 }));
  }

  const change = (part: (before: Refusal) => Refusal) =>
    setState((before) => ({ ...before, refusal: { ...before.refusal, ...part(before.refusal) } }));
  return {
    element,
    busy,
    said: refusal.said,
    errors,
    field: (name) => ({ name, error: errors[name], readOnly: busy }),
    button: (busyLabel) => ({ type: 'submit', busy: busy ? busyLabel : undefined }),
    submit,
    isRunning: () => running.current,
    mark: (some) => change(({ errors: before }) => ({ errors: { ...before, ...some } })),
    dismiss: () => change(() => ({ said: undefined })),
  };
}

/** The form of `useSubmit`. A field's error goes when the field changes. */
export function Form({
  of: { element, errors, mark, submit },
  children,
  ...rest
}: {
  of: Submit;
  children: ReactNode;
  id?: string;
  className?: string | undefined;
  'aria-labelledby'?: string;
}) {
  return (
    <form
      {...rest}
      ref={element}
      // Prerendered and pressed before scripts have loaded: GET would put a password into the URL.
      method="post"
      noValidate
      onChange={({ target }) => {
        const { name } = target as EventTarget & { name: string };
        if (errors[name]) mark({ [name]: undefined });
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children}
    </form>
  );
}

/** What the last submit was refused with, at the place that the screen chooses. */
export function RefusedNotice({
  of: { said, dismiss },
  dismissible = false,
}: {
  of: Submit;
  dismissible?: boolean;
}) {
  return (
    said && (
      <Notice tone="danger" title={said.title} urgent onDismiss={dismissible ? dismiss : undefined}>
        {said.text}
      </Notice>
    )
  );
}
