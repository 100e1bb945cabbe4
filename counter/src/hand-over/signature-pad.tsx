import { SIGNATURE } from '@aparta/domain/pickup-code';
import { Button } from '@aparta/ui/button.tsx';
import text from '@aparta/ui/text.module.css';
import { useRef, type PointerEvent } from 'react';
import { handOverCopy as copy } from './copy.ts';
import styles from './hand-over.module.css';

const WIDTH = SIGNATURE.side;
const HEIGHT = 400;
/** Points nearer to the last one say nothing more. */
const NEAR = 4;

export type Strokes = readonly (readonly number[])[];

/** A square to sign in with a finger, pen or mouse. What was drawn is lines, never a picture. */
export function SignaturePad({
  strokes,
  onChange,
}: {
  strokes: Strokes;
  onChange: (strokes: Strokes) => void;
}) {
  const drawing = useRef<number>(undefined);

  function pointOf({ clientX, clientY, currentTarget }: PointerEvent<SVGSVGElement>): [number, number] {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const within = (at: number, most: number) => Math.min(most, Math.max(0, Math.round(at)));
    return [
      within(((clientX - left) / width) * WIDTH, WIDTH),
      within(((clientY - top) / height) * HEIGHT, HEIGHT),
    ];
  }

  function begin(event: PointerEvent<SVGSVGElement>) {
    if (strokes.length >= SIGNATURE.strokes || !event.isPrimary) return;
    drawing.current = event.pointerId;
    event.currentTarget.setPointerCapture(event.pointerId);
    const [x, y] = pointOf(event);
    // A dot is a line too.
    onChange([...strokes, [x, y, x, y]]);
  }

  function go(event: PointerEvent<SVGSVGElement>) {
    const stroke = strokes.at(-1);
    if (drawing.current !== event.pointerId || stroke === undefined) return;
    const [x, y] = pointOf(event);
    const [lastX = 0, lastY = 0] = stroke.slice(-2);
    if (Math.hypot(x - lastX, y - lastY) < NEAR) return;
    if (strokes.flat().length + 2 > 2 * SIGNATURE.points) return;
    onChange([...strokes.slice(0, -1), [...stroke, x, y]]);
  }

  const end = () => {
    drawing.current = undefined;
  };

  return (
    <section className={text.tight} aria-label={copy.signature}>
      <h3>{copy.signature}</h3>
      <p className={`${text.muted} ${text.small}`}>{copy.signatureHint}</p>
      <svg
        className={styles.pad}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={copy.signature}
        onPointerDown={begin}
        onPointerMove={go}
        onPointerUp={end}
        onPointerCancel={end}
      >
        <line x1="60" x2={WIDTH - 60} y1="310" y2="310" />
        {strokes.map((stroke, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- a stroke is its place
          <path key={place} d={pathOf(stroke)} />
        ))}
      </svg>
      {strokes.length > 0 && (
        <Button variant="quiet" small onClick={() => onChange([])}>
          {copy.clear}
        </Button>
      )}
    </section>
  );
}

function pathOf(stroke: readonly number[]): string {
  return stroke.map((at, place) => (place === 0 ? `M${at}` : place % 2 === 0 ? `L${at}` : ` ${at}`)).join('');
}
