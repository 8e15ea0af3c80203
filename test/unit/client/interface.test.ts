/** The client holds all of the interface: a function for each endpoint, a remedy for each code. */
import { describe, expect, test } from 'vitest';
import { CALLS } from '../../../src/client/calls/calls.ts';
import type { Call } from '../../../src/client/calls/checked.ts';
import {
  type Client,
  createClient,
  ENDPOINT_FUNCTIONS,
  REMEDIES,
  remedyOf,
} from '../../../src/client/index.ts';
import { VirtualClock } from '../../../src/core/index.ts';
import type { HttpRequest } from '../../../src/wire/gateway/index.ts';
import { ENDPOINTS, ERROR_CODES, matchEndpoint } from '../../../src/wire/protocol/index.ts';

const ADDRESS = '0x00000000000000000000000000000000000000aa';

/** A client whose requests are kept and never answered with anything but 404. */
function spied(): { client: Client; asked: HttpRequest[] } {
  const asked: HttpRequest[] = [];
  const client = createClient({
    baseUrl: 'http://nowhere',
    account: { address: ADDRESS },
    clock: new VirtualClock(0),
    transport: {
      request: (request) => {
        asked.push(request);
        const body = JSON.stringify({ error: { code: 'NotFound', num: 1200, message: 'no' } });
        return Promise.resolve({ kind: 'answer', status: 404, headers: {}, body });
      },
      open: () => ({ send: () => undefined, close: () => undefined }),
    },
  });
  return { client, asked };
}

function functionOf(client: Client, path: string): (params: unknown) => Promise<unknown> {
  const [group = '', name = ''] = path.split('.');
  const found = (client as unknown as Record<string, Record<string, unknown>>)[group]?.[name];
  if (typeof found !== 'function') throw new Error(`no function ${path}`);
  return found as (params: unknown) => Promise<unknown>;
}

/** The parameters of a function, such as `markets.get`. */
function takenBy(path: string): readonly string[] {
  const [group = '', name = ''] = path.split('.');
  const calls = CALLS as unknown as Record<string, Record<string, Call>>;
  return calls[group]?.[name]?.args[0]?.argument.rows('').map((row) => row.name) ?? [];
}

describe('endpoints', () => {
  const rows = ENDPOINTS.filter(({ id }) => id !== 'ws').map(({ id, method, path }) => ({
    id,
    method,
    path,
  }));

  test.each(rows)('$method $path has its function', ({ id }) => {
    expect(() => functionOf(spied().client, ENDPOINT_FUNCTIONS[id])).not.toThrow();
  });

  test.each(rows.filter(({ method }) => method === 'GET'))(
    'the function of $id asks for $path, and says what was refused',
    async ({ id }) => {
      const { client, asked } = spied();
      const params = {
        symbol: 'BTC-USD',
        interval: '1m',
        id: '7',
        address: ADDRESS,
        orderId: '9',
        clientOrderId: 'a/b',
        requestId: `0x${'1'.repeat(64)}`,
      };
      const taken = takenBy(ENDPOINT_FUNCTIONS[id]);
      const call = functionOf(
        client,
        ENDPOINT_FUNCTIONS[id],
      )(
        taken.length === 0
          ? undefined
          : Object.fromEntries(Object.entries(params).filter(([name]) => taken.includes(name))),
      );
      await expect(call).rejects.toMatchObject({ code: 'NotFound', num: 1200, status: 404, effect: 'none' });
      expect(matchEndpoint('GET', asked[0]?.path.split('?')[0] ?? '')?.endpoint.id).toBe(id);
    },
  );
});

describe('remedies', () => {
  test.each(Object.keys(ERROR_CODES))('%s has one', (code) => {
    expect(REMEDIES[code]?.length).toBeGreaterThan(10);
  });

  test('there is none for a code nobody knows', () => {
    expect(Object.keys(REMEDIES).filter((code) => !Object.hasOwn(ERROR_CODES, code))).toEqual([]);
  });

  test.each([400, 401, 403, 404, 409, 412, 421, 422, 429, 500, 503])(
    'an unknown code with %s has one',
    (status) => {
      expect(remedyOf('SomethingNew', status).length).toBeGreaterThan(10);
    },
  );
});
