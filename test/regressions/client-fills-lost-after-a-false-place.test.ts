/**
 * @module
 * Symptom: a listener of the client whose stream had one fill with a false place, far beyond the log, lost without a word all
 * fills of its next time without a connection, since the pages were read from that place on; a false position after a
 * reconnect, or a false bound of lost frames, kept it stale for good.
 * Found by: reading who else remembers a newest position, once public trades had been hidden by one.
 */
import { describe, expect, test } from 'vitest';
import { type PeopleClient, startPeopleClient } from '../support/people-client.ts';
import { anOrder, type TestExchange } from '../support/test-exchange.ts';

const FAR = 900_000_000_000;

/** A client that hears fills of its account, and another account that trades with it. */
async function aListener(from: 'now' | 'start' = 'now') {
  const people = await startPeopleClient();
  const { client, now, venue, wire } = people;
  const other = venue.another();
  const prices: number[] = [];
  const states: string[] = [];
  const { ready } = await now(
    client.streams.fills(
      { from },
      {
        onUpdate: ({ price }) => prices.push(price.toNumber()),
        onState: (state) => states.push(state),
      },
    ),
  );
  await now(ready);
  return { people, venue, other, wire, prices, states };
}

function trade(venue: TestExchange, other: TestExchange, price: number): void {
  venue.place([anOrder({ price: `${price}.0` })]);
  other.place([anOrder({ price: `${price}.0`, side: 'sell', timeInForce: 'ioc' })]);
  venue.blocks();
}

const pass = ({ venue }: PeopleClient, ms: number) => venue.clock.advanceAsync(ms);

function cut({ wire }: PeopleClient): void {
  for (const socket of wire.sockets.splice(0)) socket.close('cut by the test');
}

/** The next frame of this channel names this position, a fill in its id as well. */
function falsify({ wire }: PeopleClient, channel: string, seq: number): void {
  wire.alter = (text) => {
    const frame = JSON.parse(text);
    if (frame.channel !== channel) return [text];
    wire.alter = (next) => [next];
    const data = channel === 'fills' ? { ...frame.data, id: `${seq}-0-0`, seq } : frame.data;
    return [JSON.stringify({ ...frame, seq, data })];
  };
}

describe('a fill with a false place', () => {
  test.each([
    [FAR, 'now'],
    [FAR, 'start'],
    [1, 'now'],
    [1, 'start'],
  ] as const)(
    'of %s is told once, from the pages, and so are those of a time without a connection, from %s on',
    async (seq, from) => {
      const { people, venue, other, prices, states } = await aListener(from);
      trade(venue, other, 100_001);
      await pass(people, 1_000);
      falsify(people, 'fills', seq);
      trade(venue, other, 100_002);
      await pass(people, 15_000);
      trade(venue, other, 100_003);
      await pass(people, 1_000);
      cut(people);
      trade(venue, other, 100_004);
      await pass(people, 10_000);
      trade(venue, other, 100_005);
      await pass(people, 1_000);
      expect(prices).toEqual([100_001, 100_002, 100_003, 100_004, 100_005]);
      expect(states.at(-1)).toBe('live');
      await people.client.close();
    },
  );

  test('that pages reach later is true, and told once', async () => {
    const { people, venue, other, prices } = await aListener();
    trade(venue, other, 100_001);
    await pass(people, 1_000);
    // The log goes on by far more than it used to, of which the client hears nothing.
    for (let block = 0; block < 1_500; block++) other.place([anOrder({ price: '90000.0' })]);
    trade(venue, other, 100_002);
    await pass(people, 5_000);
    expect(prices).toEqual([100_001, 100_002]);
    await people.client.close();
  });
});

test('a false bound of lost frames costs seconds', async () => {
  const { people, venue, other, wire, prices, states } = await aListener();
  const { epoch } = venue.get(`/v1/account/fills?address=${venue.address}`).json;
  wire.inject(
    JSON.stringify({ channel: 'lagged', data: { dropped: 1, epoch, upper: `${FAR}-65535-4294967295` } }),
  );
  trade(venue, other, 100_001);
  await pass(people, 30_000);
  trade(venue, other, 100_002);
  await pass(people, 1_000);
  expect(prices).toEqual([100_001, 100_002]);
  expect(states.at(-1)).toBe('live');
  await people.client.close();
});

test('a false position after a reconnect costs seconds', async () => {
  const { people, venue, other, prices, states } = await aListener();
  cut(people);
  falsify(people, 'account', FAR);
  trade(venue, other, 100_001);
  await pass(people, 40_000);
  trade(venue, other, 100_002);
  await pass(people, 1_000);
  expect(prices).toEqual([100_001, 100_002]);
  expect(states.at(-1)).toBe('live');
  await people.client.close();
});

test('a fill that comes after a later one is told, once', async () => {
  const { people, venue, other, wire, prices } = await aListener('start');
  let late: string | undefined;
  wire.alter = (text) => {
    if (JSON.parse(text).channel !== 'fills') return [text];
    if (late === undefined) {
      late = text;
      return [];
    }
    wire.alter = (next) => [next];
    return [text, late];
  };
  for (const price of [100_001, 100_002, 100_003]) {
    trade(venue, other, price);
    await pass(people, 5_000);
  }
  expect(prices.toSorted()).toEqual([100_001, 100_002, 100_003]);
  await people.client.close();
});
