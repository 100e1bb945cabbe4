/** A block of a legal text. */
export type LegalBlock =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; items: string[] };

/**
 * Parses a legal text: '# ' starts a heading, '- ' an item, and an empty line ends a paragraph; other line
 * breaks are spaces.
 */
export function legalBlocks(body: string): LegalBlock[] {
  const blocks: LegalBlock[] = [];
  /** The block that the next line continues; undefined after an empty line or a heading. */
  let open: LegalBlock | undefined;
  for (const line of body.split('\n').map((raw) => raw.trim())) {
    if (line === '') {
      open = undefined;
    } else if (line.startsWith('# ')) {
      blocks.push({ kind: 'heading', text: line.slice(2) });
      open = undefined;
    } else if (line.startsWith('- ')) {
      const last = blocks.at(-1);
      if (last?.kind === 'list') last.items.push(line.slice(2));
      else blocks.push({ kind: 'list', items: [line.slice(2)] });
      open = blocks.at(-1);
    } else if (open?.kind === 'list') {
      open.items.push(`${open.items.pop() ?? ''} ${line}`);
    } else if (open?.kind === 'paragraph') {
      open.text += ` ${line}`;
    } else {
      open = { kind: 'paragraph', text: line };
      blocks.push(open);
    }
  }
  return blocks;
}
