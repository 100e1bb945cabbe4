import { savesData } from '@aparta/ui/saves-data.ts';
import { useRef } from 'react';
import { knownRefusals } from '../copy/known-refusals.ts';

type IsWeak = (password: string, email: string) => boolean;

/**
 * Tells a buyer who leaves the field that their password is easily guessed. The estimator is half a megabyte: it is loaded once
 * somebody types there, unless they save data or the network is slow, and where it is missing or late the server says the same (rules/accounts#passwords).
 */
export function usePasswordStrength() {
  const loading = useRef<Promise<IsWeak | undefined>>(undefined);
  return {
    /** For the password field, in a form that has the email in the field of this name; `say` marks the field. */
    watch: (emailField: string, say: (error: string) => void) => ({
      onFocus() {
        if (savesData()) return;
        loading.current ??= import('./estimate-password.ts').then(
          ({ isWeak }) => isWeak,
          () => undefined,
        );
      },
      async onBlur({ target }: { target: HTMLInputElement }) {
        const password = target.value;
        const isWeak = await loading.current;
        if (password === '' || target.value !== password || target.disabled) return;
        if (isWeak?.(password, typedIn(target.form, emailField))) say(sentence());
      },
    }),
  };
}

function sentence(): string {
  const { title, text } = knownRefusals.PASSWORD_TOO_COMMON;
  return `${title}. ${text}`;
}

function typedIn(form: HTMLFormElement | null, name: string): string {
  const field = form?.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field.value.trim() : '';
}
