import type { Endpoint } from '@aparta/contract/endpoint';
import { authenticateTill } from '@aparta/contract/account';
import { onLayaway, payTill, queryTill, reverseTill } from '@aparta/contract/tills';
import {
  FEED_GUIDE,
  TEST_ACCOUNT,
  TILL_BODIES,
  TILL_ERRORS_EXPLAINED,
  TILL_EXAMPLES,
  TILL_GUIDE,
  TILL_NEXT,
} from '@aparta/contract/tills-explained';
import { WEBHOOK_EXAMPLES, WEBHOOK_GUIDE } from '@aparta/contract/webhooks-explained';
import { escapeHtml } from './web.ts';

/** What somebody reads who connects a till or a back office (`/api/pos`). */
export function posPage(productName: string): string {
  const title = escapeHtml(`${productName}: for POS vendors`);
  const examples = Object.values(TILL_EXAMPLES).flat();
  const errors = Object.entries(TILL_ERRORS_EXPLAINED).map(([error, [meaning, next]]) => {
    const [, reply] = examples.find(([, each]) => String(each['error']) === error) ?? [];
    return `<h3><code>${error}</code></h3><p>${asProse(`${meaning} Next: ${TILL_NEXT[next]}.`)}</p>${block(JSON.stringify(reply))}`;
  });
  const calls = [authenticateTill, onLayaway, payTill, queryTill, reverseTill].map(callOf);
  const events = Object.entries(WEBHOOK_EXAMPLES).map(([type, [when, data]]) => {
    const event = { type, timestamp: '2026-11-22T18:30:00.000Z', sequence: 41, data };
    return `<h3><code>${type}</code></h3><p>${asProse(when)}</p>${block(JSON.stringify(event, null, 2))}`;
  });
  const { User, Password, compañia, sucursal } = TEST_ACCOUNT;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/api.css">
</head>
<body>
<main>
<h1>${title}</h1>
<p>Tills take money by the calls below, a back office reads what was taken, and a webhook tells it at once.
<a href="/api/pos.postman.json">A collection</a> for Postman, Insomnia or Bruno runs all of it from top to bottom;
each field is explained in <a href="/api#onLayaway">the API</a> and in <a href="/openapi.json">openapi.json</a>.</p>
<h2>Try it</h2>
<p>The demo (<code>npm start</code>) has an account: <code>User</code> <code>${User}</code>, <code>Password</code>
<code>${Password}</code>, <code>compañia</code> <code>${compañia}</code>, <code>sucursal</code> <code>${sucursal}</code>.
Your own comes from the operator, with the merchants for whom it collects.</p>
<h2>Calls</h2>
${list(TILL_GUIDE)}
${calls.join('')}
<h2>Errors</h2>
${errors.join('')}
<h2>The feed</h2>
${list(FEED_GUIDE)}
${block('GET /v1/tills/operations?cursor=2lk-7g&limit=100\nAuthorization: Bearer …')}
<h2>Webhooks</h2>
${list(WEBHOOK_GUIDE)}
${block(VERIFY)}
${events.join('')}
</main>
</body>
</html>`;
}

const VERIFY = `// npm install standardwebhooks
import { Webhook } from 'standardwebhooks';
const event = new Webhook(secret).verify(rawBody, headers); // throws when it is not ours

# pip install standardwebhooks
from standardwebhooks import Webhook
event = Webhook(secret).verify(raw_body, headers)`;

/** What is sent, and what comes when all is well. */
function callOf({ name, method, path, summary }: Endpoint): string {
  const sent = (TILL_BODIES[name] ?? []).map((body) => JSON.stringify(body));
  const done = (TILL_EXAMPLES[name] ?? []).filter(([, { error }]) => error === 0);
  const got = done.map(([said, reply]) => `${said}:\n${JSON.stringify(reply, null, 2)}`);
  return `<h3>${method} <code>${escapeHtml(path)}</code></h3><p>${asProse(summary)}</p>${block([...sent, ...got].join('\n\n'))}`;
}

const list = (lines: readonly string[]) =>
  `<ul>${lines.map((line) => `<li>${asProse(line)}</li>`).join('')}</ul>`;
const block = (text: string) => `<pre tabindex="0">${escapeHtml(text)}</pre>`;

/** A line of Markdown that has nothing but code in it. */
function asProse(line: string): string {
  return escapeHtml(line).replace(/`([^`]+)`/g, '<code>$1</code>');
}
