/** @module Checks of consistent reads (412), wrong nodes (421), budgets (429) and errors. */
import { ERROR_CODES, parseRateLimit, parseRateLimitPolicy } from '../../wire/protocol/index.ts';
import { type Check, check } from '../check.ts';
import { answered, Deviation, holds, matches, refused, same } from '../expect.ts';
import type { Probe } from '../probe.ts';
import { openIds, place, rest } from './steps.ts';

const minSeq = (probe: Probe, seq: number | bigint | string) => ({
  [`${probe.headerPrefix}min-seq`]: String(seq),
});

/** Consistent reads. */
export const CONSISTENCY_CHECKS: readonly Check[] = [
  check('GW-MINSEQ-1', 'account', async (probe) => {
    const trader = await probe.trader();
    const { answer } = await place(probe, trader);
    const headers = minSeq(probe, answered(answer).text('seq'));
    const orders = answered(await probe.get(`/v1/account/orders?${trader.query}`, headers)).list('orders');
    same('open orders', orders.length, 1);
  }),
  check('GW-MINSEQ-2', 'public', async (probe) => {
    for (const text of ['x', '-1', '1.5'])
      refused(await probe.get('/v1/time', minSeq(probe, text)), 400, 'InvalidRequest');
  }),
  check('GW-MINSEQ-3', 'public', async (probe) => {
    const began = probe.clock.monotonicMs();
    const answer = refused(await probe.get('/v1/prices', minSeq(probe, 10n ** 15n)), 412, 'ReplicaBehind');
    holds('a bounded wait', probe.clock.monotonicMs() - began < 5_000, answer.value);
  }),
  check('GW-MINSEQ-4', 'public', async (probe) => {
    const answer = await probe.get('/v1/prices', minSeq(probe, 10n ** 15n));
    const details = refused(answer, 412, 'ReplicaBehind').part('error.details');
    same('required', details.text('required'), String(10n ** 15n));
    holds('a position that is applied', details.number('applied') > 0, details.value);
  }),
  check('GW-MINSEQ-5', 'control', async (probe) => {
    const trader = await probe.trader();
    await probe.harness.run('replica-lag', { lag: 200 });
    const { answer } = await place(probe, trader);
    const headers = minSeq(probe, answered(answer).text('seq'));
    const orders = answered(await probe.get(`/v1/account/orders?${trader.query}`, headers)).list('orders');
    same('open orders', orders.length, 1);
  }),
  check('GW-MINSEQ-6', 'control', async (probe) => {
    const trader = await probe.trader();
    await rest(probe, trader);
    await probe.harness.run('replica-lag', { lag: 60_000 });
    const { answer } = await place(probe, trader);
    const headers = minSeq(probe, answered(answer).text('seq'));
    refused(await probe.get(`/v1/account/orders?${trader.query}`, headers), 412, 'ReplicaBehind');
    const stale = answered(await probe.get(`/v1/account/orders?${trader.query}`)).list('orders');
    same('what the replica knows', stale.length, 1);
    await probe.harness.run('replica-lag', { lag: 0 });
    same('open orders', (await openIds(trader)).length, 2);
  }),
  check('GW-MINSEQ-7', 'control', async (probe) => {
    await probe.harness.run('fault', { kind: 'httpError', code: 'WrongNode', method: 'GET' });
    refused(await probe.get('/v1/time'), 421, 'WrongNode');
    answered(await probe.get('/v1/time'));
  }),
];

async function remaining(probe: Probe, path: string): Promise<number> {
  const limit = parseRateLimit((await probe.get(path)).header('ratelimit'));
  if (limit === undefined) throw new Deviation(path, 'a ratelimit header', 'none');
  return limit.remaining;
}

/** Goes to the beginning of a window: nothing of it is used up, and it does not end while a check counts. */
async function freshWindow(probe: Probe): Promise<void> {
  await probe.harness.run('advance', { by: 60_050 - ((await probe.serverMs()) % 60_000) });
}

/** Uses up a budget of `quota` and gives the first refusal. */
async function exhausted(probe: Probe, bucket: 'ip' | 'account', quota: number) {
  const trader = await probe.trader();
  await trader.accountId();
  await freshWindow(probe);
  await probe.harness.run('rate-limit', { bucket, quota });
  for (let i = 0; i < quota + 2; i++) {
    const answer =
      bucket === 'ip'
        ? await probe.get('/v1/time')
        : (await trader.write('/v1/orders/cancel-all', {})).answer;
    if (answer.status !== 200) return { answer, trader, count: i };
  }
  throw new Deviation(`a budget of ${quota}`, 'a refusal', `${quota + 2} answers`);
}

/** Budgets. */
export const BUDGET_CHECKS: readonly Check[] = [
  check('GW-RATE-1', 'public', async (probe) => {
    const answer = await probe.get('/v1/time');
    const [limit, policy] = [answer.header('ratelimit'), answer.header('ratelimit-policy')];
    holds('ratelimit', parseRateLimit(limit)?.bucket === 'ip', limit);
    holds('ratelimit-policy', parseRateLimitPolicy(policy)?.bucket === 'ip', policy);
  }),
  check('GW-RATE-2', 'public', async (probe) => {
    const policy = parseRateLimitPolicy((await probe.get('/v1/time')).header('ratelimit-policy'));
    same('the window in seconds', policy?.windowSeconds, 60);
  }),
  check('GW-RATE-3', 'control', async (probe) => {
    await freshWindow(probe);
    const first = await remaining(probe, '/v1/time');
    const second = await remaining(probe, '/v1/time');
    const third = await remaining(probe, `/v1/markets/${probe.market.symbol}/candles?interval=1m`);
    holds('requests that cost', second < first && third < second, [first, second, third]);
    holds('weights that differ', second - third > first - second, [first, second, third]);
  }),
  check('GW-RATE-4', 'control', async (probe) => {
    await freshWindow(probe);
    const first = await remaining(probe, '/v1/time');
    await probe.get('/v1/no-such-thing');
    holds('a refused request that costs', (await remaining(probe, '/v1/time')) < first - 1, first);
  }),
  check('GW-RATE-5', 'account', async (probe) => {
    const { answer } = await (await probe.trader()).write('/v1/orders/cancel-all', {});
    const header = answered(answer).header('x-ratelimit-account');
    holds('x-ratelimit-account', parseRateLimit(header)?.bucket === 'account', header);
  }),
  check('GW-RATE-6', 'account', async (probe) => {
    const trader = await probe.trader();
    const { answer } = await trader.write('/v1/orders/cancel-all', {}, { forgedBy: probe.freshKey() });
    same('x-ratelimit-account', answered(answer, 401).header('x-ratelimit-account'), undefined);
  }),
  check('GW-RATE-7', 'control', async (probe) => {
    const { answer } = await exhausted(probe, 'ip', 5);
    refused(answer, 429, 'RateLimited');
    same('details.bucket', answer.at('error.details.bucket'), 'ip');
    matches('retry-after', answer.header('retry-after'), /^[1-9][0-9]?$/);
  }),
  check('GW-RATE-8', 'control', async (probe) => {
    const { answer } = await exhausted(probe, 'ip', 5);
    await probe.harness.run('advance', { by: Number(answer.header('retry-after')) * 1_000 });
    answered(await probe.get('/v1/time'));
  }),
  check('GW-RATE-9', 'control', async (probe) => {
    const { answer, count } = await exhausted(probe, 'account', 3);
    refused(answer, 429, 'RateLimited');
    same('writes before', count, 3);
    same('details.bucket', answer.at('error.details.bucket'), 'account');
    matches('retry-after', answer.header('retry-after'), /^[1-9][0-9]?$/);
    matches('x-ratelimit-account', answer.header('x-ratelimit-account'), /r=0/);
  }),
  check('GW-RATE-10', 'control', async (probe) => {
    const { trader } = await exhausted(probe, 'account', 2);
    const nonce = (await trader.nonceRecord()).number('nonce');
    same('the next nonce', nonce, 2);
    answered(await probe.get('/v1/time'));
  }),
  check('GW-RATE-11', 'control', async (probe) => {
    const { trader } = await exhausted(probe, 'account', 2);
    const other = await probe.trader();
    answered((await other.write('/v1/orders/cancel-all', {})).answer);
    const { answer } = await trader.write('/v1/orders/cancel-all', {}, { by: 1 });
    refused(answer, 429, 'RateLimited');
  }),
  check('GW-RATE-12', 'control', async (probe) => {
    await probe.harness.run('rate-limit', { bucket: 'ip', quota: 777 });
    const policy = parseRateLimitPolicy((await probe.get('/v1/time')).header('ratelimit-policy'));
    same('the quota', policy?.quota, 777);
  }),
];

/** Codes that the exchange itself gives before the sequencer, with the status that belongs to each. */
const DOOR_CODES = Object.entries(ERROR_CODES).filter(([, { consumesNonce }]) => !consumesNonce);
const REASONS = Object.entries(ERROR_CODES).filter(([, { consumesNonce }]) => consumesNonce);

/** Errors. */
export const ERROR_CHECKS: readonly Check[] = [
  check('GW-ERROR-1', 'public', async (probe) => {
    for (const path of [
      '/v1/none',
      '/v1/account',
      '/v1/requests/x',
      '/v1/markets/NONE',
      '/v1/events?limit=0',
    ]) {
      const answer = await probe.get(path);
      matches('error.code', answer.at('error.code'), /^[A-Za-z_]+$/);
      holds('error.num as an integer', Number.isInteger(answer.at('error.num')), answer.value);
      matches('error.message', answer.at('error.message'), /./);
    }
  }),
  check('GW-ERROR-2', 'public', async (probe) => {
    const num = async (path: string) => (await probe.get(path)).at('error.num');
    same('one code, one number', await num('/v1/markets/NONE'), await num('/v1/none'));
  }),
  check('GW-ERROR-3', 'control', async (probe) => {
    for (const [code, { httpStatus, num }] of DOOR_CODES) {
      await probe.harness.run('fault', { kind: 'httpError', code, method: 'GET' });
      const answer = refused(await probe.get('/v1/time'), httpStatus, code);
      same(`the number of ${code}`, answer.at('error.num'), num);
    }
  }),
  check('GW-ERROR-4', 'control', async (probe) => {
    const trader = await probe.trader();
    await probe.harness.run('fault', { kind: 'httpError', code: 'Unavailable', method: 'POST' });
    const { sent, answer } = await trader.write('/v1/orders/cancel-all', {});
    refused(answer, 503, 'Unavailable');
    refused(await probe.get(`/v1/requests/${sent.requestId}`), 404, 'not_found');
    same('the next nonce', (await trader.nonceRecord()).number('nonce'), Number(sent.nonce));
  }),
  check('GW-ERROR-5', 'control', async (probe) => {
    const trader = await probe.trader();
    for (const code of ['WrongNode', 'ReplicaBehind', 'RateLimited']) {
      await probe.harness.run('fault', { kind: 'httpError', code, method: 'POST' });
      const { answer } = await trader.write('/v1/orders/cancel-all', {});
      refused(answer, ERROR_CODES[code as 'WrongNode'].httpStatus, code);
    }
    same('the next nonce', (await trader.nonceRecord()).number('nonce'), 0);
  }),
  check('GW-ERROR-6', 'control', async (probe) => {
    const trader = await probe.trader();
    for (const [code, { num }] of REASONS) {
      await probe.harness.run('fault', { kind: 'reject', reason: code, method: 'POST' });
      const { answer } = await trader.write('/v1/orders/cancel-all', {});
      refused(answer, 422, code);
      same(`the number of ${code}`, answer.at('error.num'), num);
      same('nonceConsumed', answer.at('error.details.nonceConsumed'), true);
    }
    same('the next nonce', (await trader.nonceRecord()).number('nonce'), REASONS.length);
  }),
];
