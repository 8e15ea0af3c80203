/** The door of a run over loopback sockets: who is refused, what each action does to a bot, and how what is wrong is named. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ListedRun, listedRuns, type Operation, operate } from '../../src/bot/operator/index.ts';
import { type AuditEvent, SystemClock, silentLog } from '../../src/core/index.ts';
import { lots, type OrderId, ticks } from '../../src/domain/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';
import { someFigures } from '../support/run-figures.ts';
import { aFill, BTC, LANE } from '../support/trading-builders.ts';

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of many shapes
  readonly json: any;
}

/** One bid and one ask of the size that the parameter says. */
const maker = strategyOf((context) => ({
  onBook: (view) =>
    context.quote(view.symbol, {
      bids: [{ priceTicks: ticks((view.bestBidTicks ?? 0) - 100), sizeLots: lots(10) }],
      asks: [{ priceTicks: ticks((view.bestAskTicks ?? 0) + 100), sizeLots: lots(10) }],
    }),
}));

async function aDoor(options: { readonly isStarted?: boolean; readonly about?: Partial<ListedRun> } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-door-'));
  const rig = aRig(maker, { operatorLane: LANE });
  const audit: AuditEvent[] = [];
  const stops: unknown[] = [];
  const operation: Operation = operate({
    about: {
      ...{ runId: 'run-1', name: 'maker', mode: 'sim', environment: 'sim', config: '/maker.yaml' },
      ...{ folder: join(folder, 'run-1'), processId: process.pid, startedAtMs: 1 },
      ...options.about,
    },
    ...{ clock: new SystemClock(), log: silentLog, place: { port: 0 }, runsFolder: join(folder, 'runs') },
    lowDiskBytes: 0,
    stop: (order) => stops.push(order),
  });
  await operation.open();
  onTestFinished(() => {
    operation.close({ reason: 'test', isProven: true });
    rmSync(folder, { recursive: true });
  });
  const parametersOf = () => ['levels', 'size'];
  if (options.isStarted !== false)
    operation.began({
      ...{ bot: rig.bot, audit: { record: (event) => audit.push(event) }, parametersOf },
      figures: someFigures(),
    });
  const { baseUrl, token } = JSON.parse(readFileSync(join(folder, 'run-1', 'control.json'), 'utf8'));
  const port = Number(new URL(baseUrl).port);
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const all = { authorization: `Bearer ${token}`, ...headers };
      const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers: all }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, json: JSON.parse(Buffer.concat(chunks).toString()) }),
        );
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    });
  const act = (name: string, body: unknown = {}) => ask('POST', `/control/${name}`, body);
  return { rig, audit, stops, operation, ask, act, port, token, folder };
}

test('a request needs the token, the own host and no foreign origin, judged before its body', async () => {
  const { ask, port, rig } = await aDoor();
  expect((await ask('GET', '/run')).status).toBe(200);
  expect(await ask('GET', '/run', undefined, { authorization: 'Bearer no' })).toMatchObject({
    status: 401,
    json: { error: { code: 'OPERATOR_TOKEN_REFUSED' } },
  });
  for (const headers of [{ host: 'evil.example' }, { origin: 'http://evil.example' }])
    expect(await ask('POST', '/control/pause', {}, headers)).toMatchObject({
      status: 403,
      json: { error: { code: 'OPERATOR_ORIGIN_REFUSED' } },
    });
  // A body that never comes is not waited for.
  const refused = await new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('POST /control/pause HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n'),
    );
    socket.once('data', (data) => {
      resolve(data.toString());
      socket.destroy();
    });
  });
  expect(refused).toMatch(/^HTTP\/1\.1 401 /);
  expect(rig.bot.status().trading.state).toBe('active');
});

test('what is asked in another form is named', async () => {
  const { ask, act } = await aDoor();
  expect(await act('pause', '{"reason"')).toMatchObject({
    status: 400,
    json: { error: { code: 'CONTROL_INVALID' } },
  });
  expect(await act('pause', [])).toMatchObject({ status: 400 });
  expect(await act('pause', { markt: 'BTC' })).toMatchObject({
    json: {
      error: { message: expect.stringMatching(/^markt: expected one of strategy, market, actor, reason/) },
    },
  });
  expect(await act('pause', { reason: 'x'.repeat(70_000) })).toMatchObject({ status: 413 });
  expect(await act('resume')).toMatchObject({
    json: { error: { message: expect.stringMatching(/^reason: /) } },
  });
  expect(await act('halt')).toMatchObject({ status: 404, json: { error: { code: 'CONTROL_UNKNOWN' } } });
  expect(await ask('GET', '/control/pause')).toMatchObject({ status: 404 });
  expect(await ask('GET', '/logs?limit=0')).toMatchObject({ status: 400 });
  expect(await ask('GET', '/__proto__')).toMatchObject({ status: 404 });
});

test('each action is carried out by the kernel and answered when its effect is there', async () => {
  const { rig, act, ask } = await aDoor();
  const who = { actor: 'ann', reason: 'drill' };
  rig.book(999_990, 1_000_010);
  expect((await ask('GET', '/orders')).json.orders.length).toBe(2);
  expect((await act('pause', { ...who, market: BTC })).json).toEqual({
    ...{ action: 'pause', scope: `market ${BTC}`, before: 'active', after: 'halted' },
    ...{ isConfirmed: true, waitsFor: [] },
    halts: [{ control: 'operator', scope: BTC, reason: 'ann: drill' }],
  });
  rig.book(999_980, 1_000_010);
  expect((await ask('GET', '/orders')).json.orders).toEqual([]);
  expect((await act('resume', { ...who, market: BTC })).json).toMatchObject({
    before: 'halted',
    after: 'active',
  });
  rig.book(999_970, 1_000_010);
  expect((await ask('GET', '/orders')).json.orders.length).toBe(2);
  expect((await act('reduce', { ...who, strategy: 'maker' })).json).toMatchObject({
    ...{ scope: 'strategy maker', before: 'active', after: 'reducing', isConfirmed: true },
  });
  expect((await act('resume', { ...who, strategy: 'maker' })).json.after).toBe('active');
  rig.book(999_960, 1_000_010);
  expect((await act('cancel-all', who)).json).toMatchObject({
    scope: 'account',
    after: 'active',
    isConfirmed: true,
  });
  expect(rig.bot.account.workingOrders(BTC)).toEqual([]);
  expect(rig.audit.typesOf('TradingStateChanged').map(({ fields }) => fields)).toEqual([
    { scope: { kind: 'market', symbol: BTC }, before: 'active', state: 'halted', ...who },
    { scope: { kind: 'market', symbol: BTC }, before: 'halted', state: 'active', ...who },
    { scope: { kind: 'strategy', strategyId: 'maker' }, before: 'active', state: 'reducing', ...who },
    { scope: { kind: 'strategy', strategyId: 'maker' }, before: 'reducing', state: 'active', ...who },
  ]);
});

test('a flatten answers when the positions are closed', async () => {
  const { rig, act } = await aDoor();
  rig.feed({ type: 'FillRecorded', fill: aFill({ sizeLots: 50 }) });
  rig.book(999_990, 1_000_010);
  const answer = act('flatten', { actor: 'ann' });
  await expect
    .poll(() => {
      rig.clock.advance(500);
      for (const order of rig.bot.account.workingOrders(BTC)) rig.fill(order.orderId as OrderId);
      rig.book(999_990, 1_000_010);
      return rig.bot.account.positionLots(BTC);
    })
    .toBe(0);
  expect((await answer).json).toMatchObject({ action: 'flatten', after: 'halted', isConfirmed: true });
});

test('an unknown strategy, market or parameter is refused with the name most like it, and journaled', async () => {
  const { act, audit, ask } = await aDoor();
  const message = async (name: string, body: object) => (await act(name, body)).json.error.message as string;
  expect(await message('pause', { strategy: 'makr' })).toMatch(
    /one of maker \(most like it: maker\), got "makr"/,
  );
  expect(await message('pause', { market: 'BTC' })).toMatch(/^market: expected one of /);
  expect(await message('pause', { strategy: 'maker', market: BTC })).toMatch(/not both/);
  expect(await message('set', { parameter: 'makr.size', value: '1' })).toMatch(/most like it: maker/);
  expect(await message('set', { parameter: 'maker', value: '1' })).toMatch(/strategy\.parameter/);
  expect(await message('set', { parameter: 'maker.size', value: '{' })).toMatch(/^value: expected /);
  expect(audit.map(({ type }) => type)).toEqual(Array.from({ length: 6 }, () => 'ActionRefused'));
  expect((await ask('GET', '/logs')).json.entries.at(-1)).toMatchObject({
    level: 'warn',
    message: 'an action of a person is refused',
  });
});

test('a run that starts, or that has ended, takes no action but the stop', async () => {
  const starting = await aDoor({ isStarted: false });
  expect((await starting.ask('GET', '/run')).json).toMatchObject({ runId: 'run-1', state: 'starting' });
  expect(await starting.act('pause')).toMatchObject({
    status: 409,
    json: { error: { code: 'CONTROL_REFUSED' } },
  });
  expect(await starting.ask('GET', '/status')).toMatchObject({ status: 409 });
  expect((await starting.act('stop', { actor: 'ann', reason: 'no' })).status).toBe(200);
  expect(starting.stops).toEqual([{ actor: 'ann', reason: 'no' }]);
  const { rig, act, stops } = await aDoor();
  const ending = rig.bot.stop('time limit');
  rig.clock.advance(10_000);
  await ending;
  expect(await act('resume', { reason: 'x' })).toMatchObject({
    status: 409,
    json: { error: { message: expect.stringMatching(/got one that is stopp/) } },
  });
  expect(stops).toEqual([]);
});

test('a stop with flatten ends the run when it is flat, and not before', async () => {
  const { rig, act, stops, audit } = await aDoor();
  rig.feed({ type: 'FillRecorded', fill: aFill({ sizeLots: 50 }) });
  rig.book(999_990, 1_000_010);
  expect((await act('stop', { flatten: true, actor: 'ann', reason: 'end' })).json.after).toBe(
    'stopping when flat',
  );
  expect(stops).toEqual([]);
  await expect
    .poll(() => {
      rig.clock.advance(500);
      for (const order of rig.bot.account.workingOrders(BTC)) rig.fill(order.orderId as OrderId);
      rig.book(999_990, 1_000_010);
      return stops;
    })
    .toEqual([{ actor: 'ann', reason: 'end' }]);
  expect(audit).toMatchObject([{ type: 'StopAsked', fields: { actor: 'ann', flatten: true } }]);
});

test('the document describes each read and action, and the list of runs says how the run ended', async () => {
  const { ask, operation, folder } = await aDoor();
  const { json } = await ask('GET', '/openapi.json');
  const { json: listed } = await ask('GET', '/control');
  expect(Object.keys(json.paths)).toEqual(
    expect.arrayContaining([...listed.actions.map((name: string) => `/control/${name}`), '/run', '/status']),
  );
  expect((await ask('GET', '/runs')).json.runs).toMatchObject([{ runId: 'run-1', name: 'maker' }]);
  operation.close({ reason: 'ann: end', isProven: true });
  expect(listedRuns(join(folder, 'runs'))).toMatchObject([{ ended: { reason: 'ann: end', isProven: true } }]);
  await expect(ask('GET', '/run')).rejects.toThrow();
});
