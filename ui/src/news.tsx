import { useEffect, useState, type ReactNode } from 'react';

/** By then the screen stands, and its heading has the focus. */
const AFTER_MS = 300;

/**
 * What a screen brings with it and must be heard whatever has the focus: that money arrived, or did not. Browsers announce an alert
 * that comes into a screen, but not one that came with it.
 */
export function News({
  on = true,
  className,
  children,
}: {
  on?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}) {
  const [isSaid, setSaid] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSaid(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role={on && isSaid ? 'alert' : undefined} className={className}>
      {children}
    </div>
  );
}
