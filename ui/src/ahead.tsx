import text from './text.module.css';

/** A link for browsers alone, which make ready what it leads to (web/build/prerender.ts); nobody follows it. */
export function Ahead({ to }: { to: string }) {
  return <a href={to} data-ahead tabIndex={-1} aria-hidden="true" className={text.srOnly} />;
}
