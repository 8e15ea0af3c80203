import { describe, expect, test } from 'vitest';
import { CANDLE_INTERVALS, MARKET_STATUSES, TIMES_IN_FORCE } from '../../src/domain/index.ts';
import {
  BATCH_ITEMS_MAX,
  BOOK_DEPTH_DEFAULT,
  BOOK_DEPTH_MAX,
  CANDLES_MAX,
  CHANNELS,
  ENDPOINTS,
  type Endpoint,
  ERROR_CODES,
  IDLE_CLOSE_MS,
  PAGE_LIMIT_DEFAULT,
  PAGE_LIMIT_MAX,
  PING_INTERVAL_MS,
  STRUCTS,
  SUBSCRIPTIONS_PER_CONNECTION_MAX,
  TRADES_MAX,
} from '../../src/wire/protocol/index.ts';
import { CLIENT_ORDER_ID_LENGTH_MAX } from '../../src/wire/protocol/limits.ts';
import { deref, type Node, OPENAPI, type Operation, resolve, validateAt } from '../support/openapi.ts';

const endpoints: readonly Endpoint[] = ENDPOINTS;
const operations: readonly (readonly [string, Operation])[] = Object.entries(OPENAPI.paths).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([verb, operation]) => [`${verb.toUpperCase()} ${path}`, operation] as const),
);
const schemas = OPENAPI.components['schemas'] ?? {};

/** Visits every object of the document with its place. */
function* walk(node: unknown, place = '#'): Generator<{ place: string; node: Node }> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield { place, node: node as Node };
  for (const [key, child] of Object.entries(node)) yield* walk(child, `${place}/${key}`);
}

describe('the structure of OpenAPI 3.1', () => {
  const text = { type: 'string', minLength: 1 };
  const reference = { type: 'object', required: ['$ref'], properties: { $ref: text } };
  const or = (schema: object) => ({ anyOf: [reference, schema] });
  const parameter = {
    type: 'object',
    required: ['name', 'in', 'schema'],
    properties: {
      name: text,
      in: { enum: ['query', 'header', 'path', 'cookie'] },
      schema: { type: 'object' },
    },
    anyOf: [
      { properties: { in: { not: { const: 'path' } } } },
      { properties: { required: { const: true } }, required: ['required'] },
    ],
  };
  const media = {
    type: 'object',
    minProperties: 1,
    additionalProperties: {
      type: 'object',
      required: ['schema'],
      properties: { schema: { type: 'object' } },
    },
  };
  const response = {
    type: 'object',
    required: ['description'],
    properties: { description: text, content: media },
  };
  const operation = {
    type: 'object',
    required: ['operationId', 'summary', 'tags', 'responses', 'x-weight'],
    patternProperties: { '^x-': true },
    properties: {
      operationId: text,
      summary: text,
      tags: { type: 'array', items: text },
      parameters: { type: 'array', items: or(parameter) },
      requestBody: { type: 'object', required: ['content'], properties: { content: media } },
      responses: {
        type: 'object',
        minProperties: 1,
        propertyNames: { pattern: '^([1-5][0-9]{2}|default)$' },
        additionalProperties: or(response),
      },
    },
    additionalProperties: false,
  };
  const SHAPE = {
    type: 'object',
    required: ['openapi', 'info', 'paths', 'components'],
    patternProperties: { '^x-': true },
    properties: {
      openapi: { const: '3.1.0' },
      info: { type: 'object', required: ['title', 'version'], properties: { title: text, version: text } },
      servers: { type: 'array', items: { type: 'object', required: ['url'] } },
      security: { type: 'array' },
      tags: { type: 'array', items: { type: 'object', required: ['name'] } },
      paths: {
        type: 'object',
        propertyNames: { pattern: '^/v1/' },
        additionalProperties: {
          type: 'object',
          properties: { get: operation, post: operation },
          additionalProperties: false,
        },
      },
      components: {
        type: 'object',
        properties: {
          schemas: { type: 'object', additionalProperties: { type: 'object' } },
          parameters: { type: 'object', additionalProperties: parameter },
          responses: { type: 'object', additionalProperties: response },
          headers: { type: 'object', additionalProperties: { type: 'object', required: ['schema'] } },
        },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  };

  test('the document has the shape of the specification', async () => {
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    expect(ajv.validate(SHAPE, OPENAPI), ajv.errorsText()).toBe(true);
  });

  test('every reference points somewhere', () => {
    const broken = [...walk(OPENAPI)].filter(({ node }) => {
      if (typeof node['$ref'] !== 'string') return false;
      try {
        resolve(node['$ref']);
        return false;
      } catch {
        return true;
      }
    });
    expect(broken).toEqual([]);
  });

  test('every component is used', () => {
    const used = new Set([...walk(OPENAPI)].map(({ node }) => node['$ref']));
    const unused = Object.entries(OPENAPI.components).flatMap(([kind, entries]) =>
      Object.keys(entries)
        .map((name) => `#/components/${kind}/${name}`)
        .filter((pointer) => !used.has(pointer)),
    );
    expect(unused).toEqual([]);
  });

  test.each(Object.keys(schemas))('schema %s is valid JSON Schema', (name) => {
    expect(() => validateAt(`#/components/schemas/${name}`, null)).not.toThrow();
  });

  test.each(operations)('%s declares each parameter of its path and no other', (key, { parameters = [] }) => {
    const declared = parameters.map(deref).filter((parameter) => parameter['in'] === 'path');
    const holes = [...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(declared.map((parameter) => parameter['name'])).toEqual(holes);
  });

  test('what is assumed says where it comes from, and nothing else does', () => {
    for (const { place, node } of walk(OPENAPI)) {
      if (place.endsWith('/properties')) continue;
      const source = node['x-source'];
      if (node['x-assumed'] === undefined) expect(source, place).toBeUndefined();
      else {
        expect(node['x-assumed'], place).toBe(true);
        expect(source, place).toMatch(/^(own choice|exchange\.md#[a-z-]+)\b/);
      }
    }
  });
});

describe('the tables of src/wire/protocol', () => {
  test('endpoints are those of the document, both ways', () => {
    const ours = endpoints.map(({ id, method, path, weight, query }) => ({
      ...{ key: `${method} ${path}`, id, weight, query: [...query].sort() },
    }));
    const theirs = operations.map(([key, operation]) => ({
      key,
      id: operation.operationId,
      weight: operation['x-weight'],
      query: (operation.parameters ?? [])
        .map(deref)
        .filter((parameter) => parameter['in'] === 'query')
        .map((parameter) => parameter['name'])
        .sort(),
    }));
    const byKey = (a: { key: string }, b: { key: string }) => a.key.localeCompare(b.key);
    expect(theirs.toSorted(byKey)).toEqual(ours.toSorted(byKey));
  });

  test.each(operations)('%s signs the structs of the table', (_key, operation) => {
    const endpoint = endpoints.find(({ id }) => id === operation.operationId);
    const signed = operation['x-eip712'];
    if (signed === undefined) {
      expect(endpoint?.structs).toEqual([]);
      return;
    }
    const variants = (signed['variants'] ?? []) as readonly Node[];
    const typeStrings = [signed['typeString'], ...variants.map((variant) => variant['typeString'])];
    expect(typeStrings).toEqual(endpoint?.structs.map((name) => STRUCTS[name]));
    const agent = signed['agent'];
    if (agent !== undefined) {
      expect(agent).toBe(STRUCTS.AgentExec);
      expect(signed['commands']).toEqual(endpoint?.structs);
    }
  });

  test('an API wallet is offered no grant, subaccount or vault operation (obligations O41, O51)', () => {
    const agentOperations = operations
      .filter(([, operation]) => operation['x-eip712']?.['agent'] !== undefined)
      .map(([, operation]) => operation.operationId);
    expect(agentOperations.sort()).toEqual([
      'cancelAll',
      'cancelOrders',
      'placeOrders',
      'placeTpsl',
      'placeTwap',
      'replaceOrders',
      'scheduleCancel',
      'setLeverage',
    ]);
  });

  test('the table of structs is the one of the document', () => {
    const theirs = Object.entries(OPENAPI['x-structs']).map(([name, entry]) => [name, entry['typeString']]);
    expect(Object.fromEntries(theirs)).toEqual(STRUCTS);
  });

  test('error codes are those of the document', () => {
    const theirs = Object.entries(OPENAPI['x-error-codes']).map(([code, entry]) => {
      const { 'x-assumed': _assumed, 'x-source': _source, ...known } = entry;
      return [code, known];
    });
    expect(Object.fromEntries(theirs)).toEqual(ERROR_CODES);
  });

  test('channels are those of the document', () => {
    expect(Object.keys(OPENAPI['x-channels'].data).sort()).toEqual([...CHANNELS].sort());
    expect(Object.keys(OPENAPI['x-channels'].control).sort()).toEqual([
      'error',
      'lagged',
      'pong',
      'subscribed',
      'unsubscribed',
    ]);
    expect(Object.keys(OPENAPI['x-channels'].client).sort()).toEqual(['ping', 'subscribe', 'unsubscribe']);
  });

  test('the channels that begin with a snapshot are those of the interface (Events rule 1)', () => {
    const withSnapshot = Object.entries(OPENAPI['x-channels'].data)
      .filter(([, entry]) => entry['hasSnapshot'] === true)
      .map(([channel]) => channel);
    expect(withSnapshot).toEqual(['prices', 'book', 'bbo', 'orders', 'positions', 'account']);
  });

  test('limits are those of the document', () => {
    expect(OPENAPI['x-channels'].limits).toEqual({
      subscriptionsPerConnection: SUBSCRIPTIONS_PER_CONNECTION_MAX,
      idleCloseMs: IDLE_CLOSE_MS,
      pingIntervalMs: PING_INTERVAL_MS,
    });
    const parameters = OPENAPI.components['parameters'] ?? {};
    expect(parameters['limit']?.['schema']).toMatchObject({
      maximum: PAGE_LIMIT_MAX,
      default: PAGE_LIMIT_DEFAULT,
    });
    expect(parameters['tradesLimit']?.['schema']).toMatchObject({ maximum: TRADES_MAX });
    expect(parameters['depth']?.['schema']).toMatchObject({
      minimum: 1,
      maximum: BOOK_DEPTH_MAX,
      default: BOOK_DEPTH_DEFAULT,
    });
    expect(schemas['BookParams']).toMatchObject({
      properties: { depth: { maximum: BOOK_DEPTH_MAX, default: BOOK_DEPTH_DEFAULT } },
    });
    expect(schemas['PlaceBody']).toMatchObject({ properties: { orders: { maxItems: BATCH_ITEMS_MAX } } });
    expect(schemas['CancelBody']).toMatchObject({ properties: { orders: { maxItems: BATCH_ITEMS_MAX } } });
    expect(schemas['Candles']).toMatchObject({ properties: { candles: { maxItems: CANDLES_MAX } } });
    expect(schemas['OrderRequest']).toMatchObject({
      properties: { clientOrderId: { maxLength: CLIENT_ORDER_ID_LENGTH_MAX } },
    });
  });

  test('closed sets are those of the document', () => {
    expect(schemas['TimeInForce']?.['enum']).toEqual([...TIMES_IN_FORCE]);
    expect(schemas['CandleInterval']?.['enum']).toEqual([...CANDLE_INTERVALS]);
    expect(schemas['Market']).toMatchObject({
      properties: { status: { 'x-known-values': [...MARKET_STATUSES] } },
    });
  });
});
