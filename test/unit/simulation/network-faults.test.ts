import { describe, expect, test } from 'vitest';
import { must, seededRandom, VirtualClock } from '../../../src/core/index.ts';
import { ticks } from '../../../src/domain/index.ts';
import { Exchange } from '../../../src/exchange/index.ts';
import { type Crypto, loadCrypto } from '../../../src/wire/crypto/index.ts';
import type { StreamSocket, Transport } from '../../../src/wire/gateway/transport.ts';
import { FAULTS as REST_FAULTS } from '../../simulation/faults/transport-rest.ts';
import { FAULTS as WS_FAULTS } from '../../simulation/faults/transport-ws.ts';
import { LifeClock, MachineTime } from '../../simulation/life-clock.ts';
import { damaged, foreignAnswer, redirect } from '../../simulation/network/garbage.ts';
import { createNetwork, type SimulationNetwork } from '../../simulation/network.ts';
import type { Fault, FaultId, Sight, World } from '../../simulation/types.ts';

const FAULTS = [...REST_FAULTS, ...WS_FAULTS];
const LATENCY = { requestMs: 4, answerMs: 4, frameMs: 2 };
const STRIKES = 6;

const crypto: Crypto = await loadCrypto();

interface Scene {
  readonly world: World & { heal(): void };
  readonly clock: VirtualClock;
  readonly network: SimulationNetwork;
  readonly hits: Map<string, number>;
  readonly sights: Sight[];
}

/** An exchange whose prices move, and a life that reads, writes nonsense and listens. */
function scene(seed: string, everyMs = 400): Scene {
  const clock = new VirtualClock(1_767_700_020_000);
  const settings = { blockMs: 400 };
  const exchange = new Exchange({ clock, random: seededRandom(seed), crypto, settings });
  let price = 1_000_000;
  clock.every(everyMs, () => exchange.control.price({ symbol: 'BTC-USD', price: ticks(price++) }));
  exchange.start();
  const sights: Sight[] = [];
  const hits = new Map<string, number>();
  const network = createNetwork({
    clock,
    random: seededRandom(`${seed} network`),
    exchange,
    latency: LATENCY,
    tell: (sight) => sights.push(sight),
  });
  const life = new LifeClock(clock, new MachineTime(clock));
  live(network.connect({ number: 1, clock: life }), life, everyMs);
  const world = {
    clock,
    exchange,
    network,
    isHealed: false,
    heal: () => {
      world.isHealed = true;
    },
    bot: {
      life: { number: 1, state: 'running' },
      isPaused: false,
      stall: (forMs: number) => {
        life.pause();
        clock.after(forMs, () => life.resume());
      },
    },
    hit: (what: string) => hits.set(what, (hits.get(what) ?? 0) + 1),
  };
  return { world: world as unknown as Scene['world'], clock, network, hits, sights };
}

function live(transport: Transport, clock: LifeClock, everyMs: number): void {
  const head = { path: '/v1/time', headers: {}, timeoutMs: 1_000 };
  clock.every(everyMs, () => void transport.request({ ...head, method: 'GET' }));
  clock.every(
    everyMs + 30,
    () => void transport.request({ ...head, method: 'POST', path: '/v1/orders', body: '{}' }),
  );
  let socket: StreamSocket | undefined;
  const open = (): void => {
    const opened = transport.open({
      onOpen: () => {
        socket = opened;
        const symbol = 'BTC-USD';
        [{ channel: 'prices' }, { channel: 'book', symbol }, { channel: 'bbo', symbol }].forEach(
          (params, id) => {
            opened.send(JSON.stringify({ method: 'subscribe', params, id }));
          },
        );
      },
      onFrame: () => undefined,
      onClose: () => {
        socket = undefined;
        clock.after(200, open);
      },
    });
  };
  open();
  clock.every(1_000, () => socket?.send('{"method":"ping"}'));
}

function faultOf(id: FaultId): Fault {
  return must(
    FAULTS.find((fault) => fault.id === id),
    id,
  );
}

/** Strikes with a fault often, then heals. */
function struck(fault: Fault, seed = 'one'): Scene {
  const made = scene(`${fault.id} ${seed}`);
  const draw = seededRandom(`${fault.id} ${seed} draws`);
  made.clock.advance(500);
  for (let i = 0; i < STRIKES; i++) {
    expect(fault.strike(made.world, draw.fork(String(i)))).toBeUndefined();
    made.clock.advance(fault.id === 'F26' ? 100_000 : 20_000);
  }
  return made;
}

describe('faults of the network', () => {
  test('are F1 to F26, each once', () => {
    const ids = FAULTS.map(({ id }) => id).sort();
    expect(ids).toEqual(Array.from({ length: 26 }, (_none, at) => `F${at + 1}`).sort());
  });

  test.each(FAULTS.map((fault) => [fault.id, fault] as const))(
    '%s strikes, counts under its own id, and leaves nothing behind when it is healed',
    (id, fault) => {
      const { hits, network, clock, sights, world } = struck(fault);
      expect([...hits.keys()]).toEqual([id]);
      world.heal();
      network.heal();
      clock.advance(10_000);
      const from = sights.length;
      clock.advance(10_000);
      const after = sights.slice(from);
      expect(after.filter(({ kind }) => kind === 'noAnswer' || kind === 'closed')).toEqual([]);
      expect(after.filter(({ kind }) => kind === 'answer').length).toBeGreaterThan(40);
      expect(after.filter(({ kind }) => kind === 'frame').length).toBeGreaterThan(20);
    },
  );

  test.each(FAULTS.map((fault) => [fault.id, fault] as const))('%s ends on its own', (_id, fault) => {
    const { clock, world, sights } = scene(`${fault.id} alone`, 5_000);
    clock.advance(500);
    fault.strike(world, seededRandom(`${fault.id} alone`));
    clock.advance(720_000);
    const from = sights.length;
    clock.advance(60_000);
    const after = sights.slice(from);
    expect(after.filter(({ kind }) => kind === 'noAnswer' || kind === 'closed')).toEqual([]);
    expect(after.filter(({ kind }) => kind === 'answer').length).toBeGreaterThan(20);
  });

  test('are the same for the same seed', () => {
    for (const id of ['F6', 'F9', 'F12', 'F19', 'F24'] as const) {
      const [one, other] = [struck(faultOf(id)), struck(faultOf(id))];
      expect(JSON.stringify(one.sights)).toBe(JSON.stringify(other.sights));
      expect(one.hits).toEqual(other.hits);
    }
  });

  test('F5 and F2 keep requests from arriving, F3 and F4 do not', () => {
    for (const [id, isKept] of [
      ['F2', true],
      ['F5', true],
      ['F3', false],
      ['F4', false],
    ] as const) {
      const { sights, hits } = struck(faultOf(id));
      const left = sights.filter(({ kind }) => kind === 'request').length;
      const arrived = sights.filter(({ kind }) => kind === 'arrived').length;
      const lost = sights.filter(({ kind }) => kind === 'noAnswer').length;
      expect(lost).toBeGreaterThanOrEqual((hits.get(id) ?? 0) - 5);
      // A few are still under way at the end.
      expect(left - arrived).toBeGreaterThanOrEqual(isKept ? (hits.get(id) ?? 0) - 1 : 0);
      expect(left - arrived).toBeLessThanOrEqual((isKept ? (hits.get(id) ?? 0) : 0) + 2);
    }
  });

  test('F7 delivers the same bytes a second time', () => {
    const { sights } = struck(faultOf('F7'));
    expect(sights.some((sight) => sight.kind === 'arrived' && sight.times === 2)).toBe(true);
  });

  test('F17 makes up for dropped frames with lagged', () => {
    const { sights, hits } = struck(faultOf('F17'));
    const lags = sights.filter(
      (sight) => sight.kind === 'frame' && sight.text.startsWith('{"channel":"lagged"'),
    );
    expect(lags).toHaveLength(hits.get('F17') ?? 0);
  });

  test('F19 keeps the order within a channel', () => {
    const { sights } = struck(faultOf('F19'));
    const seqs = sights.flatMap((sight) =>
      sight.kind === 'frame' && sight.text.startsWith('{"channel":"prices"')
        ? [Number(/"seq":"?([0-9]+)/.exec(sight.text)?.[1])]
        : [],
    );
    expect(seqs.length).toBeGreaterThan(20);
    expect(seqs).toEqual([...seqs].sort((one, other) => one - other));
  });
});

describe('garbage', () => {
  const truth = { status: 200, headers: { 'content-type': 'application/json' }, body: '' };

  test('never says in well-formed JSON what is not so (F12)', () => {
    const draw = seededRandom('garbage');
    const fields = { status: 'executed', items: [1], requestId: '0x1', nonceConsumed: true };
    const seen = new Set<string>();
    for (let i = 0; i < 500; i++) {
      const { status, body } = damaged(draw, { ...truth, body: JSON.stringify(fields) });
      expect(status).toBe(200);
      let read: unknown;
      try {
        read = JSON.parse(body);
      } catch {
        seen.add('no JSON');
        continue;
      }
      const wrong = Object.entries(read as object).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(fields[name as keyof typeof fields]),
      );
      for (const [name, value] of wrong)
        expect(typeof value).not.toBe(typeof fields[name as keyof typeof fields]);
      seen.add(wrong.length > 0 ? 'other kind' : Object.keys(read as object).length < 4 ? 'missing' : 'true');
    }
    expect([...seen].sort()).toEqual(['missing', 'no JSON', 'other kind', 'true']);
  });

  test('leaves numbers alone that a damaged copy would round (O7)', () => {
    const draw = seededRandom('exact');
    const body = '{"seq":18446744073709551615,"status":"executed"}';
    for (let i = 0; i < 100; i++)
      expect(damaged(draw, { ...truth, body }).body).not.toContain('18446744073709552000');
  });

  test('comes in many statuses, and redirects with and without a place (F12, F13)', () => {
    const draw = seededRandom('foreign');
    const answers = Array.from({ length: 300 }, () => foreignAnswer(draw));
    expect(new Set(answers.map(({ status }) => status)).size).toBeGreaterThan(10);
    expect(answers.every(({ body }) => !/^\{"status"/.test(body))).toBe(true);
    const redirects = Array.from({ length: 100 }, () => redirect(draw, '/v1/orders'));
    expect(redirects.every(({ status }) => status >= 301 && status <= 308)).toBe(true);
    expect(redirects.some(({ headers }) => headers['location'] === undefined)).toBe(true);
  });
});
