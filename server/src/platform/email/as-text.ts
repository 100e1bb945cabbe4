import { MAIL_COPY } from './copy.ts';
import { type Block, type Letter, oneLine, type Sender } from './letter.ts';

/** A letter in plain text: every fact of the HTML one, and every link in full. */
export function asText(letter: Letter, sender: Sender): string {
  const stamp = letter.stamp === undefined ? [] : [letter.stamp.text.toUpperCase()];
  return [
    ...stamp,
    oneLine(letter.heading),
    ...letter.blocks.map(blockText),
    `${sender.product}: ${sender.origin}\n${MAIL_COPY.why(sender.product)}`,
  ].join('\n\n');
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'amount':
      return `${block.label}: ${block.amount}`;
    case 'rows':
      return [
        ...(block.title === undefined ? [] : [`${oneLine(block.title)}:`]),
        ...block.rows
          .filter(({ value }) => value !== '')
          .map(({ label, value }) => `${oneLine(label)}: ${oneLine(value)}`),
      ].join('\n');
    case 'button':
      return `${block.label}:\n${block.link}`;
    case 'paragraph':
    case 'note':
      return oneLine(block.text);
  }
}
