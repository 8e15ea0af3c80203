import { beforeEach, describe, expect, test } from 'vitest';
import { seededRandom, VirtualClock } from '../../../src/core/index.ts';
import { ticks } from '../../../src/domain/index.ts';
import { Exchange } from '../../../src/exchange/index.ts';
import { loadCrypto } from '../../../src/wire/crypto/index.ts';
import type { Transport } from '../../../src/wire/gateway/transport.ts';
import { LifeClock, MachineTime } from '../../simulation/life-clock.ts';
import { createNetwork, type SimulationNetwork } from '../../simulation/network.ts';
import type { RequestFault, Sight } from '../../simulation/types.ts';

const LATENCY = { requestMs: 4, answerMs: 4, frameMs: 2 };
const READ = { method: 'GET', path: '/v1/time', headers: {}, timeoutMs: 1_000 } as const;

let clock: VirtualClock;
let life: LifeClock;
let exchange: Exchange;
let network: SimulationNetwork;
let transport: Transport;
let sights: Sight[];

beforeEach(async () => {
  clock = new VirtualClock(1_767_700_020_000);
  exchange = new Exchange({ clock, random: seededRandom(11), crypto: await loadCrypto() });
  exchange.start();
  sights = [];
  network = createNetwork({
    clock,
    random: seededRandom('network'),
    exchange,
    latency: LATENCY,
    tell: (sight) => sights.push(sight),
  });
  life = new LifeClock(clock, new MachineTime(clock));
  transport = network.connect({ number: 1, clock: life });
});

/** Strikes the next request. */
function strikeOnce(fault: RequestFault): void {
  const end = network.onRequest(() => {
    end();
    return fault;
  });
}

async function ask(forMs = 2_000) {
  const asked = transport.request(READ);
  await clock.advanceAsync(forMs);
  return await asked;
}

const kinds = () => sights.map(({ kind }) => kind);
const arrivals = () => sights.filter(({ kind }) => kind === 'arrived').length;

describe('a request through the network of the simulation', () => {
  test('is answered, and seen at each step', async () => {
    expect(await ask()).toMatchObject({ kind: 'answer', status: 200 });
    expect(kinds()).toEqual(['request', 'arrived', 'answer']);
    const [left, arrived, answered] = sights.map(({ atMs }) => atMs);
    expect(arrived).toBeGreaterThan(left ?? 0);
    expect(answered).toBeGreaterThan(arrived ?? 0);
  });

  test.each<[string, RequestFault, string, number]>([
    ['refused (F1)', { kind: 'refuseConnection' }, 'notSent', 0],
    ['cut on its way (F2, F5)', { kind: 'cutRequest', byte: 7 }, 'lost', 0],
    ['cut on the way back (F3)', { kind: 'cutAnswer', byte: 7 }, 'lost', 1],
    ['without its answer (F4)', { kind: 'dropResponse' }, 'lost', 1],
    ['late after its loss (F6)', { kind: 'deliverAfterTimeout', delayMs: 500 }, 'lost', 1],
    ['late (F6)', { kind: 'delayRequest', delayMs: 1_500 }, 'lost', 1],
    ['twice (F7)', { kind: 'deliverTwice', delayMs: 30 }, 'answer', 2],
    ['answered late (F9)', { kind: 'delayResponse', delayMs: 500 }, 'answer', 1],
    [
      'answered by another machine (F12)',
      { kind: 'answerInstead', answer: { status: 502, headers: {}, body: 'no' } },
      'answer',
      0,
    ],
    [
      'answered by another machine after it was executed (F12)',
      { kind: 'replaceResponse', answer: { status: 502, headers: {}, body: 'no' } },
      'answer',
      1,
    ],
  ])('is %s', async (_name, fault, kind, times) => {
    strikeOnce(fault);
    expect((await ask()).kind).toBe(kind);
    await clock.advanceAsync(2_000);
    expect(arrivals()).toBe(times);
    if (fault.kind === 'answerInstead' || fault.kind === 'replaceResponse')
      expect(sights.at(-1)).toMatchObject({ kind: 'answer', status: 502 });
  });

  test('may overtake another one (F8)', async () => {
    for (let i = 0; i < 40; i++) void transport.request(READ);
    await clock.advanceAsync(1_000);
    const order = sights.flatMap((sight) => (sight.kind === 'arrived' ? [sight.id] : []));
    expect(order).toHaveLength(40);
    expect(order).not.toEqual([...order].sort((one, other) => one - other));
  });

  test('arrives although its life is over, and nobody hears of it', async () => {
    let isAnswered = false;
    void transport.request(READ).then(() => {
      isAnswered = true;
    });
    life.kill();
    network.hangUp(1);
    await clock.advanceAsync(2_000);
    expect(kinds()).toEqual(['request', 'arrived']);
    expect(isAnswered).toBe(false);
  });

  test('is answered when its process goes on after a stop', async () => {
    const asked = transport.request({ ...READ, timeoutMs: 60_000 });
    life.pause();
    await clock.advanceAsync(500);
    expect(kinds()).toEqual(['request', 'arrived']);
    life.resume();
    await clock.advanceAsync(1);
    expect(await asked).toMatchObject({ kind: 'answer' });
  });

  test('waits in a black hole and is given up; what is left of it may still arrive (F21)', async () => {
    const end = network.blackHole();
    for (let i = 0; i < 20; i++) void transport.request(READ);
    await clock.advanceAsync(5_000);
    expect(arrivals()).toBe(0);
    expect(kinds().filter((kind) => kind === 'noAnswer')).toHaveLength(20);
    end();
    await clock.advanceAsync(2_000);
    expect(arrivals()).toBeGreaterThan(0);
    expect(arrivals()).toBeLessThan(20);
    expect(kinds()).not.toContain('answer');
  });

  test('arrives soon after the network is healed, however late it was to be', async () => {
    strikeOnce({ kind: 'deliverAfterTimeout', delayMs: 120_000 });
    await ask();
    network.heal();
    await clock.advanceAsync(LATENCY.requestMs);
    expect(arrivals()).toBe(1);
  });

  test('takes the same way for the same seed', async () => {
    const runs: string[] = [];
    for (let run = 0; run < 2; run++) {
      const seen: string[] = [];
      const own = new VirtualClock(0);
      const other = createNetwork({
        clock: own,
        random: seededRandom('same'),
        exchange,
        latency: LATENCY,
        tell: (sight) => seen.push(`${sight.atMs} ${sight.kind}`),
      });
      const end = new LifeClock(own, new MachineTime(own));
      for (let i = 0; i < 10; i++) void other.connect({ number: 1, clock: end }).request(READ);
      await own.advanceAsync(100);
      runs.push(seen.join('\n'));
    }
    expect(runs[0]).toBe(runs[1]);
    expect(runs[0]).toContain('answer');
  });
});

describe('a socket through the network of the simulation', () => {
  let heard: string[];

  beforeEach(() => {
    heard = [];
  });

  function open() {
    return transport.open({
      onOpen: () => heard.push('open'),
      onFrame: (text) => heard.push(`frame ${text.slice(0, 40)}`),
      onClose: (why) => heard.push(`close ${why}`),
    });
  }

  async function opened() {
    const socket = open();
    await clock.advanceAsync(50);
    expect(heard).toEqual(['open']);
    heard.length = 0;
    return socket;
  }

  const ping = JSON.stringify({ method: 'ping' });
  const subscribe = (channel: string, id: number) =>
    JSON.stringify({ method: 'subscribe', params: { channel, symbol: 'BTC-USD' }, id });
  const channels = () => heard.map((text) => /"channel":"(\w+)"/.exec(text)?.[1] ?? text);

  test('opens, carries frames in order and closes once', async () => {
    const socket = await opened();
    socket.send(subscribe('bbo', 1));
    socket.send(ping);
    await clock.advanceAsync(50);
    expect(channels().slice(0, 3)).toEqual(['subscribed', 'bbo', 'pong']);
    socket.close('done');
    socket.close('again');
    expect(heard.at(-1)).toBe('close done');
    expect(heard.filter((text) => text.startsWith('close'))).toHaveLength(1);
    await clock.advanceAsync(50);
    expect(kinds().filter((kind) => kind !== 'frame')).toEqual([
      'opening',
      'opened',
      'sent',
      'sent',
      'closed',
    ]);
  });

  test('is refused or slow to open (F14)', async () => {
    const end = network.onUpgrade(() => ({ refuse: 429 }));
    open();
    await clock.advanceAsync(50);
    expect(heard).toEqual(['close the upgrade was refused with status 429']);
    end();
    heard.length = 0;
    network.onUpgrade(() => ({ delayMs: 9_000 }));
    open();
    await clock.advanceAsync(20_000);
    expect(heard).toEqual(['close Opening handshake has timed out']);
  });

  test('drops, doubles and changes what rules say (F17, F18, F25)', async () => {
    const socket = await opened();
    const answers = [
      [],
      [
        { text: 'a', delayMs: 0 },
        { text: 'a', delayMs: 5 },
      ],
    ];
    network.onFrame((_text, way) => (way === 'toBot' ? answers.shift() : undefined));
    for (let i = 0; i < 3; i++) socket.send(ping);
    await clock.advanceAsync(50);
    expect(channels()).toEqual(['frame a', 'frame a', 'pong']);
  });

  test('lets channels pass a held one, but no frame its own channel or what speaks of all (F19)', async () => {
    const socket = await opened();
    socket.send(subscribe('bbo', 1));
    await clock.advanceAsync(50);
    heard.length = 0;
    let isFirst = true;
    network.onFrame((text, way) => {
      if (way === 'toExchange' || !text.startsWith('{"channel":"book"') || !isFirst) return undefined;
      isFirst = false;
      return [{ text, delayMs: 700 }];
    });
    socket.send(subscribe('book', 2));
    await clock.advanceAsync(50);
    exchange.control.price({ symbol: 'BTC-USD', price: ticks(1_000_100) });
    exchange.control.createFundedAccount();
    exchange.control.lagStreams({ dropped: 1 });
    socket.send(subscribe('trades', 3));
    await clock.advanceAsync(600);
    expect(channels()).toEqual(['subscribed']);
    await clock.advanceAsync(400);
    expect(channels()).toEqual(['subscribed', 'book', 'lagged', 'bbo', 'book', 'subscribed']);
  });

  test('lets a frame of another channel pass a held one (F19)', async () => {
    const socket = await opened();
    network.onFrame((text) => (text.startsWith('{"channel":"bbo"') ? [{ text, delayMs: 100 }] : undefined));
    network.onFrame((text) => (text === ping ? [{ text: subscribe('book', 2), delayMs: 0 }] : undefined));
    const rules = network.onFrame((text) => (text.startsWith('{"channel":"subscribed"') ? [] : undefined));
    socket.send(subscribe('bbo', 1));
    socket.send(ping);
    await clock.advanceAsync(300);
    rules();
    expect(channels()).toEqual(['book', 'bbo']);
  });

  test('ends when it is cut, after some of what was under way (F15)', async () => {
    const counts = new Set<number>();
    for (let i = 0; i < 12; i++) {
      heard.length = 0;
      const socket = await opened();
      for (let n = 0; n < 4; n++) socket.send(ping);
      // Up takes 4 ms, down 2 ms: cut with all four pongs under way.
      await clock.advanceAsync(5);
      network.cutSockets('ECONNRESET');
      await clock.advanceAsync(50);
      expect(heard.at(-1)).toBe('close ECONNRESET');
      counts.add(heard.length - 1);
    }
    expect(counts.size).toBeGreaterThan(2);
  });

  test('ends at a frame above 1 MiB (F25)', async () => {
    const socket = await opened();
    network.onFrame((_text, way) =>
      way === 'toBot' ? [{ text: 'x'.repeat(1024 * 1024 + 1), delayMs: 0 }] : undefined,
    );
    socket.send(ping);
    await clock.advanceAsync(50);
    expect(heard).toEqual(['close Max payload size exceeded']);
  });

  test('is silent in a black hole and goes on in order behind it (F21)', async () => {
    const socket = await opened();
    const end = network.blackHole();
    socket.send(subscribe('bbo', 1));
    socket.send(ping);
    await clock.advanceAsync(30_000);
    expect(heard).toEqual([]);
    end();
    await clock.advanceAsync(3_000);
    expect(channels().slice(0, 3)).toEqual(['subscribed', 'bbo', 'pong']);
  });

  test('leaves the exchange when its life ends', async () => {
    const socket = await opened();
    socket.send(subscribe('bbo', 1));
    await clock.advanceAsync(50);
    const before = sights.length;
    life.kill();
    network.hangUp(1);
    await clock.advanceAsync(500);
    expect(kinds().slice(before)).toEqual(['closed']);
    expect(sights.at(-1)).toMatchObject({ why: 'the process died' });
  });

  test('is closed by the exchange behind its frames', async () => {
    const socket = await opened();
    socket.send(ping);
    await clock.advanceAsync(5);
    exchange.control.disconnect();
    await clock.advanceAsync(50);
    expect(channels()).toEqual(['pong', 'close closed with code 1012 restart']);
  });
});
