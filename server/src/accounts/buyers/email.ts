/** One spelling per mailbox, as far as that is sure: `Ana@Example.MX ` is `ana@example.mx`. */
export function normaliseEmail(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

/** What to call a buyer who gave no name (spec §5 asks for none): the part before the @. */
export function nameFromEmail(email: string): string {
  return email.slice(0, email.indexOf('@')).slice(0, 80);
}
