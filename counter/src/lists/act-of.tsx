import text from '@aparta/ui/text.module.css';

/** The words of a button that stands in a list, and for who cannot see its place what it is about. */
export function ActOf({ act, of }: { act: string; of: string }) {
  return (
    <span>
      {act} <span className={text.srOnly}>{of}</span>
    </span>
  );
}
