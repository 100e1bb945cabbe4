import { authenticateTill } from '@aparta/contract/account';
import { listTillOperations, onLayaway, payTill, queryTill, reverseTill } from '@aparta/contract/tills';
import { TEST_ACCOUNT, TILL_EXAMPLES } from '@aparta/contract/tills-explained';
import type { Endpoint } from '@aparta/contract/endpoint';
import { createLayawayReference, getLayawayReference } from '@aparta/contract/layaway';
import { listInstalments } from '@aparta/contract/purchases';
import { authenticate } from '@aparta/contract/sign-in';

type Json = Record<string, unknown>;

interface Step {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly body?: Json;
  readonly query?: string;
  readonly as?: 'token' | 'buyerToken';
  /** The operation is a new one. */
  readonly isNew?: boolean;
  /** What later steps need, and where in the reply it is. */
  readonly keep?: Readonly<Record<string, string>>;
}

const OPERATION = {
  compañia: '{{compañia}}',
  sucursal: '{{sucursal}}',
  idtransaccion: '{{idtransaccion}}',
};
const TICKET = { referencia: '{{referencia}}', importe: '{{importe}}', ...OPERATION };

const BUYER: readonly Step[] = [
  {
    name: 'Sign in as the buyer',
    endpoint: authenticate,
    body: { user: '{{buyer}}', password: '{{buyerPassword}}' },
    keep: { buyerToken: 'data.token' },
  },
  {
    name: 'Reserve a product: the reference to be paid',
    endpoint: createLayawayReference,
    as: 'buyerToken',
    body: { Referencia: '{{label}}', repeat: true },
    keep: { referencia: 'data.paymentReference', referenceId: 'data.Id' },
  },
];
const DEPOSIT: readonly Step[] = [
  {
    name: 'Sign in as the till',
    endpoint: authenticateTill,
    body: { User: '{{User}}', Password: '{{Password}}' },
    keep: { token: 'token' },
  },
  {
    name: 'What may be taken for the reference?',
    endpoint: queryTill,
    as: 'token',
    body: { referencia: '{{referencia}}' },
    keep: { importe: 'siguiente' },
  },
  { name: 'Take the deposit', endpoint: onLayaway, as: 'token', isNew: true, body: TICKET },
  { name: 'The same again: the same answer, no money twice', endpoint: onLayaway, as: 'token', body: TICKET },
  { name: 'What became of it?', endpoint: queryTill, as: 'token', body: OPERATION },
];
const INSTALMENT: readonly Step[] = [
  {
    name: 'As the buyer: the purchase that the deposit made',
    endpoint: getLayawayReference,
    as: 'buyerToken',
    keep: { ventaId: 'data.ventaId' },
  },
  {
    name: 'As the buyer: the number of the next instalment',
    endpoint: listInstalments,
    as: 'buyerToken',
    keep: { referencia: 'data[1].paymentReference' },
  },
  {
    name: 'What may be taken for it?',
    endpoint: queryTill,
    as: 'token',
    body: { referencia: '{{referencia}}' },
    keep: { importe: 'siguiente' },
  },
  { name: 'Take it', endpoint: payTill, as: 'token', isNew: true, body: TICKET },
  { name: 'Take it back', endpoint: reverseTill, as: 'token', body: OPERATION },
];
const FEED: readonly Step[] = [
  {
    name: 'What was taken, from the first on',
    endpoint: listTillOperations,
    as: 'token',
    keep: { cursor: 'next' },
  },
  { name: 'What came since', endpoint: listTillOperations, as: 'token', query: '?cursor={{cursor}}' },
];

/** What the vendor of a POS imports and runs from top to bottom: a Postman collection 2.1, made from the contract. */
export function posCollection(productName: string): Json {
  const folder = (name: string, steps: readonly Step[]) => ({ name, item: steps.map(itemOf) });
  const variables = { origin: 'http://localhost:3000', ...TEST_ACCOUNT };
  return {
    info: {
      name: `${productName}: POS`,
      description: 'Run it from top to bottom. The accounts are those of a demo (`npm start`).',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: [
      folder('A buyer reserves (demo alone)', BUYER),
      folder('A deposit', DEPOSIT),
      folder('An instalment, and back', INSTALMENT),
      folder('The feed', FEED),
    ],
  };
}

function itemOf({ name, endpoint, body, query = '', as, isNew = false, keep = {} }: Step): Json {
  const kept = Object.entries(keep).map(
    ([variable, place]) => `pm.collectionVariables.set('${variable}', pm.response.json().${place});`,
  );
  const script = (listen: string, exec: readonly string[]) =>
    exec.length === 0 ? [] : [{ listen, script: { type: 'text/javascript', exec } }];
  const renewed = "pm.collectionVariables.set('idtransaccion', pm.variables.replaceIn('{{$guid}}'));";
  const path = endpoint.path.replace(':saleId', '{{ventaId}}').replace(':id', '{{referenceId}}');
  return {
    name,
    event: [...script('prerequest', isNew ? [renewed] : []), ...script('test', kept)],
    request: {
      method: endpoint.method,
      url: `{{origin}}${path}${query}`,
      description: endpoint.summary,
      auth: as ? { type: 'bearer', bearer: [{ key: 'token', value: `{{${as}}}` }] } : { type: 'noauth' },
      header: body ? [{ key: 'Content-Type', value: 'application/json' }] : [],
      // A sum is a number.
      ...(body && {
        body: { mode: 'raw', raw: JSON.stringify(body, null, 2).replace('"{{importe}}"', '{{importe}}') },
      }),
    },
    response: (TILL_EXAMPLES[endpoint.name] ?? []).map(([summary, reply]) => ({
      name: summary,
      status: 'OK',
      code: 200,
      header: [],
      body: JSON.stringify(reply, null, 2),
    })),
  };
}
