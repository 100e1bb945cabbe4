import { Field } from '@aparta/ui/field.tsx';
import type { ClipboardEvent, DragEvent, FormEvent } from 'react';
import { referenceCopy } from './reference-copy.ts';

const copy = referenceCopy.reference;

/**
 * Spec §2's paste-only field: pasting or dropping replaces the value; it can be deleted and undone, but not typed.
 * `inputmode` keeps the phone's keyboard closed while a long press still offers paste.
 */
export function PasteField({ value, onPasted }: { value: string; onPasted: (text: string) => void }) {
  function take(event: ClipboardEvent | DragEvent, data: DataTransfer) {
    const text = data.getData('text/plain').trim();
    // Some browsers hide the clipboard from the event; then the edit arrives as input.
    if (text === '') return;
    event.preventDefault();
    onPasted(text);
  }

  return (
    <Field
      label={copy.field}
      name="referencia"
      hint={copy.hint}
      placeholder={copy.placeholder}
      value={value}
      inputMode="none"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onPaste={(event) => take(event, event.clipboardData)}
      onDrop={(event) => take(event, event.dataTransfer)}
      onChange={(event: FormEvent<HTMLInputElement>) => {
        // If not set, React restores the old value.
        if (isPasteOrEdit(event.nativeEvent)) onPasted(event.currentTarget.value.trim());
      }}
    />
  );
}

/**
 * An allow list: typing has many input types (keys, dictation, composition), and some cannot be prevented.
 */
function isPasteOrEdit(event: Event): boolean {
  const type = event instanceof InputEvent ? event.inputType : '';
  return type === '' || /^(delete|history|insertFrom(Paste|Drop|Yank))/.test(type);
}
