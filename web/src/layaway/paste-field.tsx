import { Field } from '@aparta/ui/field.tsx';
import type { ClipboardEvent, DragEvent, FormEvent } from 'react';
import { layawayCopy } from './copy.ts';

const copy = layawayCopy.reference;

/**
 * The paste-only field of §2: what is pasted or dropped replaces what was there; it can be deleted and
 * undone, never typed. `inputmode` keeps the phone's keyboard away, while a long press still offers to paste.
 */
export function PasteField({ value, onPasted }: { value: string; onPasted: (text: string) => void }) {
  function take(event: ClipboardEvent | DragEvent, data: DataTransfer) {
    const text = data.getData('text/plain').trim();
    // Some browsers hide the clipboard from the event; then the edit itself arrives as input.
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
        // Not set, the old value comes back by itself.
        if (isPasteOrEdit(event.nativeEvent)) onPasted(event.currentTarget.value.trim());
      }}
    />
  );
}

/**
 * An allow list: typing has many names (keys, dictation, composition), and some of them cannot be prevented.
 */
function isPasteOrEdit(event: Event): boolean {
  const type = event instanceof InputEvent ? event.inputType : '';
  return type === '' || /^(delete|history|insertFrom(Paste|Drop|Yank))/.test(type);
}
