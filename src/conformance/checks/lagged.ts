/** @module Checks of what a subscriber receives when it fell behind, and of a change of epoch. */
import type { ReceivedAnswer } from '../answer.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, matches, refused, same } from '../expect.ts';
import type { Feed } from '../feed.ts';
import type { Probe } from '../probe.ts';
import type { Trader } from '../trader.ts';
import { rest, sizeOf, trade } from './steps.ts';

const CHANNELS = ['orders', 'fills', 'positions', 'account', 'ledger'] as const;

interface Scene {
  readonly maker: Trader;
  readonly taker: Trader;
  readonly feed: Feed;
}

async function scene(probe: Probe, channels: readonly string[] = CHANNELS): Promise<Scene> {
  const [maker, taker] = [await probe.trader(), await probe.trader()];
  const feed = await probe.open();
  for (const channel of channels) await feed.subscribe({ channel, ...taker.selection });
  await feed.settled();
  return { maker, taker, feed };
}

/** One trade that is delivered, one that is dropped, `lagged`, one that is delivered again. */
async function fallBehind(probe: Probe): Promise<Scene> {
  const made = await scene(probe);
  const size = await sizeOf(probe);
  await trade(probe, made, size);
  await made.feed.wait('fills');
  await probe.harness.run('drop-frames');
  await trade(probe, made, size);
  await probe.harness.run('lag-streams');
  await made.feed.wait('lagged');
  await trade(probe, made, size);
  await made.feed.settled();
  return made;
}

const idsOf = (answer: ReceivedAnswer): readonly string[] =>
  answer.list('data').map((entry) => entry.text('id'));
const toldIds = (feed: Feed, channel: string): readonly string[] =>
  feed.of(channel).map((frame) => frame.text('data.id'));

/** Falling behind. */
export const LAGGED_CHECKS: readonly Check[] = [
  check('GW-LAGGED-1', 'control', async (probe) => {
    const { feed } = await fallBehind(probe);
    const lagged = await feed.wait('lagged');
    holds('a count of dropped frames', lagged.number('data.dropped') > 0, lagged.value);
    same('epoch', lagged.at('data.epoch'), feed.of('subscribed')[0]?.at('epoch'));
    matches('upper', lagged.at('data.upper'), /^[0-9]+-65535-4294967295$/);
  }),
  check('GW-LAGGED-2', 'control', async (probe) => {
    const { feed } = await fallBehind(probe);
    const at = feed.frames.findIndex((frame) => frame.at('channel') === 'lagged');
    const later = feed.frames.slice(at + 1);
    for (const channel of ['orders', 'positions', 'account'])
      same(
        `the first frame of ${channel} behind it`,
        later.find((frame) => frame.at('channel') === channel)?.at('isSnapshot'),
        true,
      );
  }),
  check('GW-LAGGED-3', 'control', async (probe) => {
    const { feed, taker } = await fallBehind(probe);
    const lagged = await feed.wait('lagged');
    const [first = ''] = toldIds(feed, 'fills');
    const bounds = `epoch=${lagged.text('data.epoch')}&upper=${lagged.text('data.upper')}`;
    const missed = answered(await taker.read(`/v1/account/fills?after=${first}&${bounds}`));
    const all = idsOf(answered(await taker.read('/v1/account/fills')));
    same('live and backfill together', [first, ...idsOf(missed), ...toldIds(feed, 'fills').slice(1)], all);
  }),
  check('GW-LAGGED-4', 'control', async (probe) => {
    const { feed, taker } = await fallBehind(probe);
    const lagged = await feed.wait('lagged');
    const told = toldIds(feed, 'ledger');
    const upperSeq = BigInt(lagged.text('data.upper').split('-')[0] ?? 0);
    const before = told.filter((id) => BigInt(id.split('-')[0] ?? 0) <= upperSeq);
    const bounds = `epoch=${lagged.text('data.epoch')}&upper=${lagged.text('data.upper')}`;
    const missed = answered(await taker.read(`/v1/account/ledger?after=${before.at(-1)}&${bounds}`));
    const all = idsOf(answered(await taker.read('/v1/account/ledger')));
    const joined = [...before, ...idsOf(missed), ...told.slice(before.length)];
    same('live and backfill together', joined, all.slice(-joined.length));
  }),
  check('GW-LAGGED-5', 'control', async (probe) => {
    const { feed } = await fallBehind(probe);
    const at = feed.frames.findIndex((frame) => frame.at('channel') === 'lagged');
    const upperSeq = BigInt(feed.frames[at]?.text('data.upper').split('-')[0] ?? 0);
    for (const frame of feed.frames.slice(at + 1)) {
      const channel = frame.at('channel');
      if (channel !== 'fills' && channel !== 'ledger') continue;
      const seq = BigInt(frame.text('data.id').split('-')[0] ?? 0);
      holds('cash above the bound alone', seq > upperSeq, frame.value);
    }
  }),
  check('GW-LAGGED-6', 'control', async (probe) => {
    const { feed } = await scene(probe);
    await probe.harness.run('lag-streams', { dropped: 7 });
    same('dropped', (await feed.wait('lagged')).number('data.dropped'), 7);
    await feed.settled();
    same('an end', feed.closedBy, undefined);
  }),
  check('GW-LAGGED-7', 'control', async (probe) => {
    const { feed } = await scene(probe, ['orders']);
    for (let round = 0; round < 3; round++) await probe.harness.run('lag-streams', { dropped: 1 });
    await feed.settled();
    same('lagged frames', feed.of('lagged').length, 3);
    const uppers = feed.of('lagged').map((frame) => BigInt(frame.text('data.upper').split('-')[0] ?? 0));
    holds(
      'bounds that do not fall',
      uppers.every((upper, i) => i === 0 || upper >= (uppers[i - 1] ?? 0n)),
      uppers.map(String),
    );
  }),
];

/** A new ledger. */
export const EPOCH_CHECKS: readonly Check[] = [
  check('GW-EPOCH-1', 'control', async (probe) => {
    const feed = await probe.open();
    const before = (await feed.subscribe({ channel: 'prices' })).at('epoch');
    await probe.harness.run('epoch');
    matches('the end', await feed.closed(), /./);
    const after = (await (await probe.open()).subscribe({ channel: 'prices' })).at('epoch');
    holds('another epoch', after !== before, { before, after });
  }),
  check('GW-EPOCH-2', 'control', async (probe) => {
    const trader = await probe.trader();
    const item = await rest(probe, trader);
    const nonce = (await trader.nonceRecord()).at('nonce');
    await probe.harness.run('epoch');
    same('the next nonce', (await trader.nonceRecord()).at('nonce'), nonce);
    const orders = answered(await trader.read('/v1/account/orders'));
    same(
      'open orders',
      orders.list('orders').map((one) => one.at('orderId')),
      [item.at('orderId')],
    );
  }),
  check('GW-EPOCH-3', 'control', async (probe) => {
    const trader = await probe.trader();
    const { sent, answer } = await trader.write('/v1/orders/cancel-all', {});
    const before = answered(answer).at('epoch');
    await probe.harness.run('epoch');
    const lost = await probe.get(`/v1/requests/${sent.requestId}`);
    refused(lost, 404, 'not_found');
    holds('another epoch', lost.at('error.details.epoch') !== before, lost.value);
  }),
  check('GW-EPOCH-4', 'control', async (probe) => {
    const trader = await probe.trader();
    const feed = await probe.open();
    const before = (await feed.subscribe({ channel: 'orders', ...trader.selection })).at('epoch');
    await probe.harness.run('epoch', { keepStreams: true });
    const item = await rest(probe, trader);
    const frame = await feed.wait('orders', (one) => one.at('data.orderId') === item.at('orderId'));
    holds('the new epoch on frames', frame.at('epoch') !== before, frame.value);
  }),
];
