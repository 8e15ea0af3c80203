/** docs/reference/client.md: every function has a docstring with an example, and every example is run. */
import { strict as assert } from 'node:assert';
import { describe, expect, test } from 'vitest';
import { clientFunctions } from '../../scripts/client-reference.ts';
import { type ClientOptions, createClient, Decimal } from '../../src/client/index.ts';
import { CHANNELS, ENDPOINTS } from '../../src/wire/protocol/index.ts';
import { during } from '../contract/client.ts';
import { identityOf, startPeopleClient } from '../support/people-client.ts';
import { ROOT } from '../tidy/source.ts';

const FUNCTIONS = clientFunctions(ROOT);
const EXAMPLES = FUNCTIONS.flatMap(({ name, examples }) =>
  examples.map((example, at) => ({ name, at, example })),
);

type Run = (scope: Record<string, unknown>) => Promise<void>;

/** The example as a function of the names it may use. */
function runnable(example: string): Run {
  const names = ['client', 'mainWallet', 'assert', 'Decimal', 'createClient', 'baseUrl', 'address'];
  const body = `return (async ({ ${names.join(', ')} }) => {\n${example}\n})(scope);`;
  return new Function('scope', body) as Run;
}

describe('docs/reference/client.md', () => {
  test('has a function for every endpoint and every channel', () => {
    expect(FUNCTIONS.length).toBeGreaterThanOrEqual(ENDPOINTS.length - 1 + CHANNELS.length);
  });

  test('says of every function what it does, what it throws and how it is called', () => {
    const poor = FUNCTIONS.filter(
      ({ name, text, throws, examples }) =>
        text.length < 10 || examples.length === 0 || (throws === '' && !name.startsWith('client.streams.')),
    );
    expect(poor.map(({ name }) => name)).toEqual([]);
  });

  test.each(EXAMPLES)('the example of $name runs ($at)', async ({ example }) => {
    const { client, venue, wire, another } = await startPeopleClient({ by: 0 });
    const main = another(identityOf(venue, 'wallet'));
    const made = (options: ClientOptions) =>
      createClient({ ...options, transport: wire, clock: venue.clock });
    const scope = {
      client,
      mainWallet: main.client,
      assert,
      Decimal,
      createClient: made,
      baseUrl: 'http://in.process',
      address: venue.account.apiWallets[1]?.address,
    };
    await during(venue.clock, runnable(example)(scope));
    await client.close();
    await main.client.close();
  });
});
