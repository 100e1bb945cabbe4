import { EMAIL_COPY } from './copy.ts';
import { barCodeId, type Block, type EmailBody, oneLine, type Sender, type Tone } from './email-body.ts';
import { html, type Markup } from './markup.ts';

/** The product's light colours (ui/src/styles/tokens.css). An email loads nothing, so they are written into it. */
const DAY = {
  ground: '#f4f1eb',
  surface: '#fffefc',
  ink: '#161a33',
  ink2: '#535870',
  leader: '#b7b0a5',
  action: '#f58220',
  edge: '#b4540b',
  onAction: '#161a33',
  paid: '#14694a',
  pending: '#755300',
  danger: '#a8163a',
} as const;

/** Dark mode, for mail programs that support it; the others invert the colours themselves. */
const NIGHT = `@media (prefers-color-scheme: dark) {
  .ground { background: #0d1020 !important; }
  .card { background: #161a2e !important; }
  .ink, .ink a { color: #f5f1e8 !important; }
  .ink2, .ink2 a { color: #b4b7cb !important; }
  .leader { border-color: #4c5272 !important; }
  .action { background: #ff9445 !important; border-color: #c9641a !important; }
  .paid { color: #5ecb99 !important; border-color: #5ecb99 !important; }
  .slot { background: #5ecb99 !important; }
  .pending { color: #f2c461 !important; border-color: #f2c461 !important; }
  .danger { color: #ff93a6 !important; border-color: #ff93a6 !important; }
}
@media (max-width: 420px) { .pad { padding-left: 20px !important; padding-right: 20px !important; } }`;

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const SMALL = `font-size: 14px; line-height: 21px; color: ${DAY.ink2}`;

/**
 * An email as HTML that mail programs can draw: tables, styles in place, at most 600 pixels wide, nothing loaded from
 * anywhere. Whatever is not ours is escaped by {@link html}.
 */
export function asHtml(body: EmailBody, sender: Sender): string {
  const [top, ...rest] = foldAtRows(body.blocks);
  return html`<!doctype html>
    <html lang="es-MX">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${oneLine(body.subject)}</title>
        <style>
          ${NIGHT_STYLE}
        </style>
      </head>
      <body class="ground" style="margin: 0; padding: 0; background: ${DAY.ground}; font-family: ${FONT}">
        <div style="display: none; max-height: 0; overflow: hidden">${oneLine(body.preview)}</div>
        <table
          role="presentation"
          class="ground"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          style="background: ${DAY.ground}"
        >
          <tr>
            <td align="center" style="padding: 24px 12px 32px">
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                style="max-width: 576px; text-align: left"
              >
                <tr>
                  <td style="padding: 0 8px 20px">
                    <span
                      class="ink"
                      style="font-size: 20px; font-weight: 700; color: ${DAY.ink}; border-right: 6px solid ${DAY.action}; padding-right: 8px"
                      >${sender.product}</span
                    >
                  </td>
                </tr>
                ${section(
                  html`${body.badge && badge(body.badge.text, body.badge.tone)}
                    <h1
                      class="ink"
                      style="margin: 0 0 12px; font-size: 26px; line-height: 32px; letter-spacing: -0.012em; color: ${DAY.ink}"
                    >
                      ${oneLine(body.heading)}
                    </h1>
                    ${top?.map(block)}`,
                  rest.length === 0 ? 'only' : 'first',
                )}
                ${rest.map((blocks, at) => [perforation, section(html`${blocks.map(block)}`, at === rest.length - 1 ? 'last' : 'middle')])}
                <tr>
                  <td class="pad ink2" style="padding: 24px 28px 0; ${SMALL}">
                    <a href="${sender.origin}" style="color: ${DAY.ink2}">${sender.product}</a
                    ><br />${body.why ?? EMAIL_COPY.why(sender.product)}
                    ${body.off && html`<a href="${body.off.link}" style="color: ${DAY.ink2}">${body.off.label}</a>`}
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html> `.markup;
}

/** Our own style sheet; between its tags nothing may be escaped. */
const NIGHT_STYLE: Markup = { markup: NIGHT };

/** A ticket's sections: each block of rows begins a new one. */
function foldAtRows(blocks: readonly Block[]): Block[][] {
  const sections: Block[][] = [[]];
  for (const each of blocks) {
    if (each.kind === 'rows') sections.push([each]);
    else sections.at(-1)?.push(each);
  }
  return sections;
}

const RADIUS = { only: '16px', first: '16px 16px 0 0', middle: '0', last: '0 0 16px 16px' } as const;
const PADDING = {
  only: '28px',
  first: '28px 28px 12px',
  middle: '12px 28px',
  last: '12px 28px 28px',
} as const;

function section(content: Markup, place: keyof typeof RADIUS): Markup {
  return html`<tr>
    <td
      class="card pad"
      style="background: ${DAY.surface}; border-radius: ${RADIUS[place]}; padding: ${PADDING[place]}"
    >
      ${content}
    </td>
  </tr>`;
}

/** Where a ticket is torn: a notch on either side, a dashed line between. */
const perforation = html`<tr>
  <td class="card" style="background: ${DAY.surface}">
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
      <tr>
        <td
          class="ground"
          width="8"
          height="16"
          style="background: ${DAY.ground}; border-radius: 0 8px 8px 0; font-size: 0"
        >
          &nbsp;
        </td>
        <td style="padding: 0 12px; font-size: 0">
          <div class="leader" style="border-top: 2px dashed ${DAY.leader}; height: 0">&nbsp;</div>
        </td>
        <td
          class="ground"
          width="8"
          height="16"
          style="background: ${DAY.ground}; border-radius: 8px 0 0 8px; font-size: 0"
        >
          &nbsp;
        </td>
      </tr>
    </table>
  </td>
</tr>`;

function badge(text: string, tone: Tone): Markup {
  return html`<div style="margin: 0 0 16px">
    <span
      class="${tone}"
      style="display: inline-block; border: 3px solid ${DAY[tone]}; border-radius: 4px; padding: 4px 10px; font-size: 14px; font-weight: 700; letter-spacing: 0.08em; color: ${DAY[tone]}"
      >${text.toUpperCase()}</span
    >
  </div>`;
}

/** A sum, also after how many it is of, is never broken over two lines. */
const SUM = /^(\d+ · )?-?\$[\d,.]+( MXN)?$/;

function block(each: Block): Markup {
  switch (each.kind) {
    case 'paragraph':
      return html`<p
        class="ink"
        style="margin: 0 0 12px; font-size: 16px; line-height: 24px; color: ${DAY.ink}"
      >
        ${oneLine(each.text)}
      </p>`;
    case 'note':
      return html`<p class="ink2" style="margin: 12px 0 0; ${SMALL}">${oneLine(each.text)}</p>`;
    case 'amount':
      return html`<p class="ink2" style="margin: 4px 0 0; ${SMALL}">${each.label}</p>
        <p
          class="ink"
          style="margin: 0 0 16px; font-size: 32px; line-height: 40px; font-weight: 700; letter-spacing: -0.022em; color: ${DAY.ink}"
        >
          ${each.amount}
        </p>`;
    case 'barCode':
      return html`<img
        src="cid:${barCodeId(each.text)}"
        alt="${each.text}"
        width="300"
        height="60"
        style="display: block; box-sizing: border-box; width: 100%; max-width: 316px; height: auto; margin: 0 0 16px; background: #ffffff; border: 8px solid #ffffff"
      />`;
    case 'slots':
      return html`<p
          class="ink"
          style="margin: 4px 0 8px; font-size: 14px; line-height: 21px; font-weight: 700; color: ${DAY.ink}"
        >
          ${each.text}
        </p>
        <table
          role="presentation"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          style="margin: 0 0 16px; table-layout: fixed"
        >
          <tr>
            ${Array.from(
              { length: each.count },
              (_, at) =>
                html`<td
                  style="padding: 0 ${at === each.count - 1 ? '0' : each.count > 12 ? '1px' : '4px'} 0 0"
                >
                  <div
                    class="slot"
                    style="height: 10px; border-radius: 3px; background: ${DAY.paid}; font-size: 0; line-height: 0"
                  >
                    &nbsp;
                  </div>
                </td>`,
            )}
          </tr>
        </table>`;
    case 'button':
      return html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin: 12px 0 8px">
          <tr>
            <td
              class="action"
              align="center"
              style="background: ${DAY.action}; border-radius: 10px; border-bottom: 2px solid ${DAY.edge}"
            >
              <a
                href="${each.link}"
                style="display: inline-block; padding: 14px 24px; font-size: 16px; line-height: 20px; font-weight: 700; color: ${DAY.onAction}; text-decoration: none"
                >${each.label}</a
              >
            </td>
          </tr>
        </table>
        <p
          class="ink2"
          style="margin: 0 0 12px; font-size: 12px; line-height: 18px; word-break: break-all; color: ${DAY.ink2}"
        >
          ${each.link}
        </p>`;
    case 'rows':
      return html`${each.title !== undefined && html`<h2 class="ink" style="margin: 4px 0 8px; font-size: 16px; line-height: 24px; color: ${DAY.ink}">${oneLine(each.title)}</h2>`}
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin: 0 0 8px">
          ${each.rows
            .filter(({ value }) => value !== '')
            .map(
              ({ label, value, strong = false }) =>
                html`<tr>
                  <td class="ink2" valign="top" style="padding: 5px 16px 5px 0; ${SMALL}">
                    ${oneLine(label)}
                  </td>
                  <td
                    class="ink"
                    valign="top"
                    align="right"
                    style="padding: 5px 0; font-size: 15px; line-height: 21px; font-weight: ${strong ? '700' : '400'}; color: ${DAY.ink}; ${SUM.test(value) ? 'white-space: nowrap' : 'word-break: break-word'}"
                  >
                    ${oneLine(value)}
                  </td>
                </tr>`,
            )}
        </table>`;
  }
}
