import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { classifyAnswer } from '../../src/bot/execution/classify.ts';
import { readReceipt } from '../../src/bot/execution/receipt.ts';
import { createInMemoryJournal } from '../../src/bot/journal/index.ts';
import { must, seededRandom, silentLog, silentMeter } from '../../src/core/index.ts';
import type { Fact, MarketSymbol } from '../../src/domain/index.ts';
import { createStream, type Stream } from '../../src/wire/stream/index.ts';
import { CutScene } from '../support/cut-scene.ts';
import { FastClock } from '../support/fast-clock.ts';
import { FRAME_TEXTS, frameOf, runSocket, textFrame } from '../support/frame-cuts.ts';

const SYMBOL = 'BTC-USD' as MarketSymbol;
const TIMES = 20;
const TIMES_HALF_OPEN = 6;
const endings: (() => Promise<void> | void)[] = [];
let scene: CutScene;

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function open(times = 1): Promise<void> {
  scene = await CutScene.open(new FastClock(times));
  endings.push(() => scene.close());
}

describe('bytes that come one by one', () => {
  beforeEach(() => open());

  test('make the same requests and answers (F16)', async () => {
    scene.proxy.split(true);
    for (const name of ['BatchPlace', 'BatchReplace', 'ApproveAgent'] as const) {
      const write = scene.ready(name);
      await scene.run(write);
      expect(scene.sequenced.get(write.query.requestId)).toBe(1);
    }
    expect(await scene.gateway.client.get({ endpoint: 'markets' })).toMatchObject({ status: 200 });
  });

  test('make the same frames, also in fragments with pings between them (F16, F25)', async () => {
    const ping = frameOf(0x89, Buffer.from('p'));
    const pieces = 7;
    const texts = [...FRAME_TEXTS.values()];
    const bytes = texts.flatMap((text) => {
      const whole = textFrame(text, pieces);
      // Control frames may stand between the fragments of another one.
      const first = whole[1] === 126 ? 4 + whole.readUInt16BE(2) : 2 + must(whole[1], 'a length');
      return [whole.subarray(0, first), ping, ping, whole.subarray(first)];
    });
    const plan = { kind: 'inject', bytes: Buffer.concat(bytes), ending: 'fin' } as const;
    expect((await runSocket(scene, plan)).frames).toEqual(texts);
    const short = { ...plan, bytes: textFrame(must(texts[0], 'a text'), 3), isSplit: true };
    expect((await runSocket(scene, short)).frames).toEqual([texts[0]]);
  });

  const FLOOD = 20_000;
  const flood = (opcode: number) =>
    Buffer.concat(Array.from({ length: FLOOD }, () => frameOf(0x80 | opcode, Buffer.alloc(125))));

  test('a flood of pongs changes nothing (F25)', async () => {
    const text = must(FRAME_TEXTS.get('pong'), 'a pong');
    const bytes = Buffer.concat([flood(10), textFrame(text)]);
    expect(await runSocket(scene, { kind: 'inject', bytes, ending: 'fin' })).toMatchObject({
      opened: 1,
      closed: 1,
      frames: [text],
    });
  });

  test('a flood of pings is answered or ends the socket, and is told once (F25)', async () => {
    const plan = { kind: 'inject', bytes: flood(9), ending: 'fin', holdMs: 300 } as const;
    expect(await runSocket(scene, plan)).toMatchObject({ isEmitted: true, opened: 1, closed: 1, frames: [] });
  });

  test.each([
    ['bytes that are no UTF-8', frameOf(0x81, Buffer.from([0x22, 0xff, 0x22]))],
    ['a reserved bit', frameOf(0xc1, Buffer.from('{}'))],
    ['an unknown kind of frame', frameOf(0x83, Buffer.from('{}'))],
    ['a fragment of nothing', frameOf(0x80, Buffer.from('{}'))],
    ['a masked frame', Buffer.concat([Buffer.from([0x81, 0x82]), Buffer.alloc(6)])],
    ['a fragmented ping', frameOf(0x09, Buffer.from('p'))],
    ['fragments above 1 MiB', textFrame('x'.repeat(1024 * 1024 + 1), 20)],
  ])('%s: what came before is heard, then the end, once (F25)', async (_what, bad) => {
    const text = must(FRAME_TEXTS.get('pong'), 'a pong');
    const bytes = Buffer.concat([textFrame(text), bad, textFrame(text)]);
    const seen = await runSocket(scene, { kind: 'inject', bytes, ending: 'fin' });
    expect(seen).toMatchObject({ isEmitted: true, opened: 1, closed: 1, frames: [text] });
  });
});

describe('a kept connection that ends while it is idle (O71, F11)', () => {
  const ROUNDS = 40;
  beforeEach(() => open());

  test.each(['fin', 'rst'] as const)(
    'by %s, at the moment of the next write: one POST at most, and nothing is guessed',
    async (ending) => {
      const kinds = new Set<string>();
      let ended = 0;
      for (let round = 0; round < ROUNDS; round++) {
        await scene.tidy();
        const write = scene.ready('BatchPlace');
        const { posts, receivedBytes } = scene.proxy;
        ended += scene.proxy.endIdle(ending);
        // None, one or two turns of the loop: the client has not heard, is about to hear, has heard.
        for (let turn = 0; turn < round % 3; turn++) await new Promise((resolve) => setImmediate(resolve));
        const answer = await scene.pipe.post({ path: write.path, body: write.body, timeoutMs: 2_000 });
        const seen = classifyAnswer(answer, write.expected).kind;
        kinds.add(seen);
        const isDone = scene.sequenced.has(write.query.requestId);
        expect(scene.proxy.posts - posts).toBeLessThanOrEqual(1);
        if (seen === 'notSent') expect(scene.proxy.receivedBytes).toBe(receivedBytes);
        else expect(seen).toBe(isDone ? 'final' : 'unknown');
        const receipt = readReceipt(
          await scene.pipe.receipt(write.query),
          write.expected,
          scene.exchange.epoch,
        );
        // The receipt's own connection may have been one of those that ended.
        if (receipt.kind !== 'none') expect(receipt.kind).toBe(isDone ? 'final' : 'open');
      }
      expect(ended).toBeGreaterThan(ROUNDS / 2);
      expect([...kinds]).toContain('final');
    },
  );
});

describe('a network that swallows everything (F21)', () => {
  test('a request is lost in its time, and arrives late or never (O67, F6)', async () => {
    await open();
    const write = scene.ready('BatchPlace');
    scene.proxy.blackHole(true);
    const answer = await scene.pipe.post({ path: write.path, body: write.body, timeoutMs: 200 });
    expect(answer).toMatchObject({ kind: 'lost' });
    expect(scene.sequenced.has(write.query.requestId)).toBe(false);
    scene.proxy.blackHole(false);
    expect(await scene.gateway.client.get({ endpoint: 'time' })).toMatchObject({ status: 200 });
    // The kernel had it, and nobody could call it back.
    await expect.poll(() => scene.sequenced.get(write.query.requestId)).toBe(1);
    const reading = readReceipt(await scene.pipe.receipt(write.query), write.expected, scene.exchange.epoch);
    expect(reading.kind).toBe('final');
  });

  test('a socket is found half-open within 10 s, and the account is right within 5 s after (O90)', async () => {
    await open(TIMES_HALF_OPEN);
    const { stream, facts } = startStream();
    const waitForSync = (isSynced: boolean) =>
      expect.poll(() => stream.state().account.isSynced, { timeout: 10_000, interval: 5 }).toBe(isSynced);
    await waitForSync(true);
    for (let round = 0; round < 2; round++) {
      scene.proxy.blackHole(true);
      const fromMs = scene.clock.monotonicMs();
      await waitForSync(false);
      expect(scene.clock.monotonicMs() - fromMs).toBeLessThanOrEqual(10_000);
      scene.proxy.blackHole(false);
      const backMs = scene.clock.monotonicMs();
      await waitForSync(true);
      expect(scene.clock.monotonicMs() - backMs).toBeLessThanOrEqual(5_000);
    }
    expect(facts.some(({ type }) => type === 'AccountDegraded')).toBe(true);
  });
});

describe('a stream that is cut inside of frames again and again (F16, F22)', () => {
  test('loses no fill and doubles none (I1, O109)', async () => {
    await open(TIMES);
    const other = scene.exchange.control.createFundedAccount({ name: 'other' });
    const { stream, facts } = startStream();
    const random = seededRandom('cuts');
    await expect.poll(() => stream.state().account.isSynced, { timeout: 5_000 }).toBe(true);
    const fillIds: string[] = [];
    scene.exchange.control.watch(({ events }) => {
      for (const event of events)
        if (
          event.kind === 'Fill' &&
          [event.maker, event.taker].some(({ account }) => account === scene.account.accountId)
        )
          fillIds.push(`${event.seq}-${event.sub}-${event.idx}`);
    });
    for (let round = 0; round < 15; round++) {
      const ending = random.chance(0.5) ? 'fin' : 'rst';
      scene.proxy.planStream({ kind: 'cutServer', byte: random.integer(1, 9_000), ending });
      scene.exchange.control.disconnect();
      for (let fill = 0; fill < 3; fill++) {
        await scene.run(scene.ready('BatchPlace'));
        scene.cross(other);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
    await expect.poll(() => stream.state().account.isSynced, { timeout: 10_000 }).toBe(true);
    const heard = () => facts.flatMap((fact) => (fact.type === 'FillRecorded' ? [String(fact.fill.id)] : []));
    await expect.poll(() => heard().length, { timeout: 5_000 }).toBe(fillIds.length);
    expect(fillIds.length).toBeGreaterThan(30);
    expect(heard().sort()).toEqual([...fillIds].sort());
    expect(stream.state().account.isAuditClean).toBe(true);
  });
});

function startStream(): { readonly stream: Stream; readonly facts: readonly Fact[] } {
  const facts: Fact[] = [];
  const { clock, gateway, account, exchange } = scene;
  const stream = createStream({
    clock,
    random: seededRandom(8),
    sockets: gateway.sockets,
    history: gateway.history,
    effects: createInMemoryJournal(),
    subscriptions: {
      selection: { address: account.address, subaccount: 0 },
      market: [{ channel: 'book', symbol: SYMBOL }],
    },
    markets: {
      collateralDecimals: 6,
      market: (symbol) =>
        exchange.control.venue.markets().find(({ market }) => market.symbol === symbol)?.market,
    },
    sink: (fact) => facts.push(fact),
    onPong: () => undefined,
    log: silentLog,
    meter: silentMeter,
  });
  stream.start();
  endings.push(() => stream.stop());
  return { stream, facts };
}
