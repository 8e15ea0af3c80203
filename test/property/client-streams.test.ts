/**
 * Under cut sockets, deaf times with a `lagged` frame and lost answers every fill, ledger entry and event is told once
 * and in order (openapi.yaml). A failing seed is printed with its steps.
 */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/core/index.ts';
import { type Cursor, compareCursors } from '../../src/domain/index.ts';
import { startPeopleClient } from '../support/people-client.ts';
import { anOrder } from '../support/test-exchange.ts';

const SEEDS = Array.from({ length: 12 }, (_none, at) => at + 1);
const STEPS = 40;

describe('streams of the client', () => {
  test.each(SEEDS)('tell every entry once and in order (seed %i)', async (seed) => {
    const random = seededRandom(`client streams ${seed}`);
    const people = await startPeopleClient();
    const { client, now, venue, wire } = people;
    const other = venue.another();
    const told = { fills: [] as string[], ledger: [] as string[], events: [] as string[] };
    const subscriptions = await now(
      Promise.all([
        client.streams.fills({ from: 'start' }, ({ id }) => told.fills.push(id)),
        client.streams.ledger({ from: 'start' }, ({ id }) => told.ledger.push(id)),
        client.streams.events({ address: venue.address }, ({ id }) => told.events.push(id)),
      ]),
    );
    await now(Promise.all(subscriptions.map(({ ready }) => ready)));
    const steps: string[] = [];
    const trade = (): void => {
      const price = `${100_000 + random.integer(0, 50)}.0`;
      venue.place([anOrder({ price, size: '0.0010' })]);
      other.place([anOrder({ price, size: '0.0010', side: 'sell', timeInForce: 'ioc' })]);
    };
    const actions: Record<string, () => Promise<void> | void> = {
      trade,
      wait: () => venue.clock.advanceAsync(random.integer(1, 2_000)),
      cut: () => {
        for (const socket of wire.sockets.splice(0)) socket.close('cut by the test');
      },
      lag: async () => {
        wire.isDeaf = true;
        trade();
        await venue.clock.advanceAsync(300);
        wire.isDeaf = false;
        const { epoch, upper } = venue.get(`/v1/account/fills?address=${venue.address}`).json;
        wire.inject(JSON.stringify({ channel: 'lagged', data: { dropped: 3, epoch, upper } }));
      },
      lose: () => {
        let left = random.integer(1, 4);
        wire.disturb = (request, pass) => {
          const isHit = left > 0 && /fills|ledger|events/.test(request.path);
          if (isHit) left--;
          return isHit ? Promise.resolve({ kind: 'lost', why: 'cut' }) : pass();
        };
      },
    };
    const names = ['trade', 'trade', 'trade', 'wait', 'wait', 'cut', 'lag', 'lose'];
    for (let at = 0; at < STEPS; at++) {
      const name = names[random.integer(0, names.length - 1)] ?? 'wait';
      steps.push(name);
      await actions[name]?.();
    }
    await venue.clock.advanceAsync(30_000);
    const said = `seed ${seed}: ${steps.join(' ')}`;
    for (const kind of ['fills', 'ledger'] as const) {
      const { data } = venue.get(`/v1/account/${kind}?address=${venue.address}&limit=1000`).json;
      expect(told[kind], `${said} (${kind})`).toEqual(data.map(({ id }: { id: string }) => id));
    }
    const sorted = [...told.events].sort((a, b) => compareCursors(a as Cursor, b as Cursor));
    expect(new Set(told.events).size, said).toBe(told.events.length);
    expect(told.events, said).toEqual(sorted);
    const placed = steps.filter((name) => name === 'trade' || name === 'lag').length;
    expect(told.events.length, said).toBeGreaterThanOrEqual(2 * placed);
    await client.close();
  });
});
