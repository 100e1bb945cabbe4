import { createContext, use, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useAlert, type AlertText } from './alert.tsx';
import { Notice } from './notice.tsx';

/** What a field held when the form was submitted, by its name; '' if it is empty, not ticked or not there. */
export type Typed = (name: string) => string;

/** What the screen shows of a submit that came to nothing. An empty one only makes the form usable again. */
export type Refusal = {
  /** Said in the form, where it has its `RefusedNotice` or the like. */
  title?: string | undefined;
  text?: string | undefined;
  /** What is wrong with a field, by its name; until it changes. */
  errors?: Readonly<Record<string, string | undefined>> | undefined;
  /** The name of the field to focus. Without it: the first wrong one, if there is one. */
  focus?: string;
  /** Shown above everything, before the rest. */
  alert?: AlertText;
  /** Leads away, after the alert; the form stays busy. */
  leave?: () => void | Promise<void>;
};

/** `leaving`: another screen is on its way, and the form stays busy until it is there. */
export type Sent = Refusal | 'leaving';

type Steps = {
  /** What can be told without asking anybody. A refusal here sends nothing. */
  check?: (typed: Typed) => Refusal | undefined;
  /**
   * Sends, and leads on. What it throws goes to `refuse`; what it returns is shown as it is, and `{}` makes the
   * form usable again: it must be said, or a form that stays would be busy for ever. `isOpen` is false once the buyer
   * has left the form: a second call should not go out then.
   */
  send: (typed: Typed, isOpen: () => boolean) => Promise<Sent>;
  /** What to show of an error, a lost network among them. */
  refuse: (error: unknown, typed: Typed) => Refusal;
  /** Errors to start with. */
  errors?: Refusal['errors'];
};

/** What was typed into a form that was sent before its script ran, and the error that answered it. */
export type PostedForm = { typed: Readonly<Record<string, string>>; error: unknown };

/** Of the page that answers such a form; forms start with it. */
export const Posted = createContext<PostedForm | undefined>(undefined);

/** `isNew`: no field has been focused for it. */
type State = Refusal & { busy?: boolean; isNew?: boolean };

/** A form's state, and what its fields and its button need of it. */
export type Submit = {
  element: RefObject<HTMLFormElement | null>;
  /** From submit until it was refused; after a success until the screen has gone. */
  busy: boolean;
  title: string | undefined;
  text: string | undefined;
  errors: NonNullable<Refusal['errors']>;
  /** For a field that cannot be edited while busy. */
  field: <Name extends string>(
    name: Name,
  ) => { name: Name; error: string | undefined; readOnly: boolean; defaultValue?: string | undefined };
  /** For the button; `busyLabel` is its label while busy. */
  button: (busyLabel: string) => { type: 'submit'; busy: string | undefined };
  /** Does nothing while one is running, or once the form has gone. */
  submit: () => Promise<void>;
  /** Whether a submit is running now, for what was started in an earlier render. */
  running: Readonly<RefObject<boolean>>;
  /** Changes parts of what is shown, without moving focus. */
  amend: (part: Pick<Refusal, 'title' | 'errors'>) => void;
};

/**
 * Submitting a `Form`: at most one at a time, whatever is pressed; what it was refused with; and focus on the first
 * wrong field. What was typed stays. Without a network `send` fails at once and nothing is sent later.
 */
export function useSubmit({ check, send, refuse, errors: atStart }: Steps): Submit {
  const showAlert = useAlert();
  const element = useRef<HTMLFormElement>(null);
  // State changes too late to stop the second of two taps.
  const running = useRef(false);
  const before = useRef<HTMLElement>(null);
  const posted = use(Posted);
  const [state, setState] = useState<State>(() =>
    posted ? withoutScripts(posted, check, refuse) : { errors: atStart },
  );
  const { busy = false, title, text, errors = {} } = state;

  // Once fields are marked and enabled again.
  useEffect(() => {
    if (!state.isNew) return;
    const wanted = state.focus ? `[name=${state.focus}]` : '[aria-invalid]';
    const target = element.current?.querySelector<HTMLElement>(wanted);
    if (target) target.focus();
    // Disabled while busy, the field lost the focus.
    else if (document.activeElement === document.body) before.current?.focus();
  }, [state]);

  async function submit() {
    if (!element.current || running.current) return;
    running.current = true;
    before.current = document.activeElement as HTMLElement | null;
    const fields = new FormData(element.current);
    const typed: Typed = (name) => (fields.get(name) ?? '') as string;
    // Shown in the end; undefined while another screen is on its way. Empty where a step of the screen's own fails.
    let shown: Refusal | undefined = {};
    try {
      let refusal: Sent | undefined = check?.(typed);
      if (!refusal) {
        setState({ busy: true });
        try {
          refusal = await send(typed, () => element.current !== null);
        } catch (error) {
          refusal = refuse(error, typed);
        }
      }
      if (refusal === 'leaving') shown = undefined;
      // Else the buyer has left: nothing is shown, and nothing leads them away.
      else if (element.current) {
        if (refusal.alert) await showAlert(refusal.alert);
        if (refusal.leave) await refusal.leave();
        shown = refusal.leave ? undefined : refusal;
      }
    } finally {
      if (shown) {
        running.current = false;
        setState({ ...shown, isNew: true });
      }
    }
  }

  return {
    element,
    running,
    busy,
    title,
    text,
    errors,
    submit,
    amend: (part) =>
      setState((before) => ({
        ...before,
        ...part,
        errors: { ...before.errors, ...part.errors },
        isNew: false,
      })),
    field: (name) => ({
      name,
      error: errors[name],
      readOnly: busy,
      ...(posted && { defaultValue: posted.typed[name] }),
    }),
    button: (busyLabel) => ({ type: 'submit', busy: busy ? busyLabel : undefined }),
  };
}

/** What the screen would have shown, as far as a page can: an alert is said in the form. */
function withoutScripts(posted: PostedForm, check: Steps['check'], refuse: Steps['refuse']): State {
  const typed: Typed = (name) => posted.typed[name] ?? '';
  const { title, text, errors, alert } = check?.(typed) ?? refuse(posted.error, typed);
  return { title: title ?? alert?.title, text: text ?? alert?.text, errors };
}

/** The form of `useSubmit`. A field's error goes when the field changes. */
export function Form({
  of: { element, errors, amend, submit },
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
      // Before scripts have run the browser sends it to the page's own address, where the server takes it.
      method="post"
      noValidate
      onChange={({ target }) => {
        const { name } = target as EventTarget & { name: string };
        if (errors[name]) amend({ errors: { [name]: undefined } });
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
  of: { title, text, amend },
  dismissible = false,
}: {
  of: Submit;
  dismissible?: boolean;
}) {
  return (
    title && (
      <Notice
        tone="danger"
        title={title}
        urgent
        onDismiss={dismissible ? () => amend({ title: undefined }) : undefined}
      >
        {text}
      </Notice>
    )
  );
}
