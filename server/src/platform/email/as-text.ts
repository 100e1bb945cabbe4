import { EMAIL_COPY } from './copy.ts';
import { type Block, type EmailBody, oneLine, type Sender } from './email-body.ts';

/** An email in plain text: every fact of the HTML one, and every link in full. */
export function asText(body: EmailBody, sender: Sender): string {
  const badge = body.badge === undefined ? [] : [body.badge.text.toUpperCase()];
  const off = body.off === undefined ? '' : ` ${body.off.label}: ${body.off.link}`;
  return [
    ...badge,
    oneLine(body.heading),
    ...body.blocks.map(blockText).filter((text) => text !== undefined),
    `${sender.product}: ${sender.origin}\n${body.why ?? EMAIL_COPY.why(sender.product)}${off}`,
  ].join('\n\n');
}

function blockText(block: Block): string | undefined {
  switch (block.kind) {
    case 'amount':
      return `${block.label}: ${block.amount}`;
    case 'slots':
      return block.text;
    case 'rows':
      return [
        ...(block.title === undefined ? [] : [`${oneLine(block.title)}:`]),
        ...block.rows
          .filter(({ value }) => value !== '')
          .map(({ label, value }) => `${oneLine(label)}: ${oneLine(value)}`),
      ].join('\n');
    case 'button':
      return `${block.label}:\n${block.link}`;
    case 'barCode':
      return undefined;
    case 'paragraph':
    case 'note':
      return oneLine(block.text);
  }
}
