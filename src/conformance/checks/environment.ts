/** @module Checks of the environment and of public market data. */
import { CANDLE_INTERVALS } from '../../domain/index.ts';
import type { Doc, ReceivedAnswer } from '../answer.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, matches, refused, refusedWith, same } from '../expect.ts';
import { shifted } from '../orders.ts';
import type { Probe } from '../probe.ts';
import { sizeOf, trade } from './steps.ts';

const DECIMAL = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const NOBODY = 'NO-SUCH-MARKET';

const exchange = async (probe: Probe): Promise<ReceivedAnswer> => answered(await probe.get('/v1/exchange'));
const marketRows = async (probe: Probe): Promise<readonly Doc[]> =>
  answered(await probe.get('/v1/markets')).list('markets');
const pathOf = (probe: Probe, rest: string): string =>
  `/v1/markets/${encodeURIComponent(probe.market.symbol)}${rest}`;

/** The environment. */
export const ENVIRONMENT_CHECKS: readonly Check[] = [
  check('GW-ENV-1', 'public', async (probe) => {
    const { value } = answered(await probe.get('/v1/time'));
    const time = (value as { readonly serverTime: unknown }).serverTime;
    holds('serverTime as an integer of Unix ms', Number.isInteger(time) && Number(time) > 1e12, time);
  }),
  check('GW-ENV-2', 'public', async (probe) => {
    const first = await probe.serverMs();
    await probe.pause(30);
    const second = await probe.serverMs();
    holds('a later time that is not earlier', second >= first, { first, second });
  }),
  check('GW-ENV-3', 'public', async (probe) => {
    const about = await exchange(probe);
    for (const name of [
      'chainId',
      'domain',
      'tokens',
      'version',
      'numericConventions',
      'depositSystemAddress',
    ])
      holds(`a field ${name} of /v1/exchange`, about.at(name) !== undefined, about.value);
  }),
  check('GW-ENV-4', 'public', async (probe) => {
    const domain = (await exchange(probe)).part('domain');
    matches('domain.name', domain.at('name'), /./);
    matches('domain.version', domain.at('version'), /./);
    matches('domain.verifyingContract', domain.at('verifyingContract'), ADDRESS);
  }),
  check('GW-ENV-5', 'public', async (probe) => {
    const about = await exchange(probe);
    same('domain.chainId', about.text('domain.chainId'), about.text('chainId'));
  }),
  check('GW-ENV-6', 'public', async (probe) => {
    const tokens = (await exchange(probe)).list('tokens');
    holds('at least one token', tokens.length > 0, tokens);
    for (const token of tokens) {
      const decimals = token.at('decimals');
      holds(
        'decimals of each token from 0 to 18',
        Number.isInteger(decimals) && Number(decimals) <= 18,
        token,
      );
    }
  }),
  check('GW-ENV-7', 'public', async (probe) => {
    const usdc = (await exchange(probe)).list('tokens').find((token) => token.at('symbol') === 'USDC');
    same('decimals of USDC', usdc?.at('decimals'), 6);
  }),
  check('GW-ENV-8', 'public', async (probe) => {
    const answer = await probe.get('/v1/time', { authorization: 'Bearer nothing' });
    answered(answer);
    same('www-authenticate', answer.header('www-authenticate'), undefined);
  }),
  check('GW-ENV-9', 'public', async (probe) => {
    refusedWith(await probe.get('/v1/no-such-thing'), 404);
    refusedWith(await probe.get('/v2/time'), 404);
  }),
  check('GW-ENV-10', 'public', async (probe) => {
    matches('content-type', (await probe.get('/v1/time')).header('content-type'), /^application\/json/);
    matches('content-type', (await probe.get('/v1/none')).header('content-type'), /^application\/json/);
  }),
  check('GW-ENV-11', 'public', async (probe) => {
    same('the second answer', (await exchange(probe)).body, (await exchange(probe)).body);
  }),
  check('GW-ENV-12', 'public', async (probe) => {
    refusedWith(await probe.post('/v1/time', '{}'), 404);
  }),
];

/** The market table. */
export const MARKET_CHECKS: readonly Check[] = [
  check('GW-MARKET-1', 'public', async (probe) => {
    const rows = await marketRows(probe);
    holds('at least one market', rows.length > 0, rows.length);
    for (const row of rows)
      for (const name of [
        'symbol',
        'priceDecimals',
        'sizeDecimals',
        'tickSize',
        'lotSize',
        'signingMarketId',
        'status',
      ])
        holds(`a field ${name} of each market`, row.at(name) !== undefined, row.value);
  }),
  check('GW-MARKET-2', 'public', async (probe) => {
    const [row] = await marketRows(probe);
    const symbol = encodeURIComponent(row?.text('symbol') ?? '');
    same('the single market', answered(await probe.get(`/v1/markets/${symbol}`)).value, row?.value);
  }),
  check('GW-MARKET-3', 'public', async (probe) => {
    const symbols = (await marketRows(probe)).map((row) => row.at('symbol'));
    same('symbols that differ', new Set(symbols).size, symbols.length);
  }),
  check('GW-MARKET-4', 'public', async (probe) => {
    const ids = (await marketRows(probe)).map((row) => row.at('signingMarketId'));
    same('signing ids that differ', new Set(ids).size, ids.length);
    for (const id of ids)
      holds('a signing id of 16 bits', Number.isInteger(id) && Number(id) >= 0 && Number(id) < 65_536, id);
  }),
  check('GW-MARKET-5', 'public', async (probe) => {
    for (const row of await marketRows(probe))
      for (const [step, decimals] of [
        ['tickSize', 'priceDecimals'],
        ['lotSize', 'sizeDecimals'],
      ] as const) {
        matches(step, row.at(step), DECIMAL);
        const fraction = row.text(step).split('.')[1]?.replace(/0+$/, '') ?? '';
        holds(
          `${step} with at most ${decimals} decimals`,
          fraction.length <= row.number(decimals),
          row.value,
        );
      }
  }),
  check('GW-MARKET-6', 'public', async (probe) => {
    for (const row of await marketRows(probe)) matches('status', row.at('status'), /^[A-Za-z]+$/);
  }),
  check('GW-MARKET-7', 'public', async (probe) => {
    refusedWith(await probe.get(`/v1/markets/${NOBODY}`), 404);
    for (const rest of ['book', 'trades', 'candles?interval=1m', 'funding'])
      refusedWith(await probe.get(`/v1/markets/${NOBODY}/${rest}`), 404);
  }),
  check('GW-MARKET-8', 'public', async (probe) => {
    const { symbol } = probe.market;
    const encoded = `%${symbol.charCodeAt(0).toString(16)}${symbol.slice(1)}`;
    same('symbol', answered(await probe.get(`/v1/markets/${encoded}`)).at('symbol'), symbol);
  }),
  check('GW-MARKET-9', 'control', async (probe) => {
    const { symbol } = probe.market;
    for (const status of ['Paused', 'CancelOnly', 'Active']) {
      await probe.harness.run('market-status', { symbol, status });
      same('status', answered(await probe.get(`/v1/markets/${symbol}`)).at('status'), status);
    }
  }),
];

/** Public market data. */
export const MARKET_DATA_CHECKS: readonly Check[] = [
  check('GW-DATA-1', 'public', async (probe) => {
    const prices = answered(await probe.get('/v1/prices')).list('prices');
    const rows = await marketRows(probe);
    const symbols = (docs: readonly Doc[]) => docs.map((doc) => doc.text('symbol')).sort();
    same('markets with prices', symbols(prices), symbols(rows));
  }),
  check('GW-DATA-2', 'public', async (probe) => {
    for (const price of answered(await probe.get('/v1/prices')).list('prices'))
      for (const name of ['markPrice', 'indexPrice', 'lastPrice', 'bestBid', 'bestAsk'])
        if (price.at(name) !== null) matches(name, price.at(name), DECIMAL);
  }),
  check('GW-DATA-3', 'public', async (probe) => {
    const book = answered(await probe.get(pathOf(probe, '/book')));
    same('symbol', book.at('symbol'), probe.market.symbol);
    holdsOrder(book);
  }),
  check('GW-DATA-4', 'public', async (probe) => {
    for (const depth of [0, 101, 'x', '1.5', -1])
      refused(await probe.get(pathOf(probe, `/book?depth=${depth}`)), 400, 'InvalidRequest');
  }),
  check('GW-DATA-5', 'control', async (probe) => {
    const trader = await probe.trader();
    const order = await probe.farOrder();
    const orders = [1, 2, 3].map((step) => ({ ...order, price: lower(probe, order.price, step) }));
    await trader.write('/v1/orders', { orders, nowMs: await probe.serverMs() });
    const levels = answered(await probe.get(pathOf(probe, '/book?depth=2'))).list('bids');
    same('levels at depth 2', levels.length, 2);
    holdsOrder(answered(await probe.get(pathOf(probe, '/book'))));
  }),
  check('GW-DATA-6', 'public', async (probe) => {
    answered(await probe.get(pathOf(probe, '/trades')));
    for (const limit of [0, 201, 'x'])
      refused(await probe.get(pathOf(probe, `/trades?limit=${limit}`)), 400, 'InvalidRequest');
  }),
  check('GW-DATA-7', 'public', async (probe) => {
    for (const interval of CANDLE_INTERVALS)
      answered(await probe.get(pathOf(probe, `/candles?interval=${interval}`)));
  }),
  check('GW-DATA-8', 'public', async (probe) => {
    for (const query of [
      '',
      '?interval=7m',
      '?interval=',
      '?interval=1m&limit=0',
      '?interval=1m&startTime=-1',
    ])
      refused(await probe.get(pathOf(probe, `/candles${query}`)), 400, 'InvalidRequest');
  }),
  check('GW-DATA-9', 'public', async (probe) => {
    const fees = answered(await probe.get('/v1/fees'));
    for (const name of ['base.takerFeePpm', 'base.makerFeePpm'])
      holds(`${name} as an integer`, Number.isInteger(fees.at(name)), fees.value);
  }),
  check('GW-DATA-11', 'control', async (probe) => {
    const [maker, taker] = [await probe.trader(), await probe.trader()];
    await trade(probe, { maker, taker }, await sizeOf(probe));
    for (const interval of CANDLE_INTERVALS) {
      const [bar] = answered(await probe.get(pathOf(probe, `/candles?interval=${interval}&limit=1`))).list(
        'candles',
      );
      same('the interval', bar?.at('interval'), interval);
      holds('a trade', (bar?.number('trades') ?? 0) > 0, bar?.value);
    }
  }),
  check('GW-DATA-10', 'public', async (probe) => {
    const { value } = answered(await probe.get(pathOf(probe, '/funding')));
    holds('a list of settlements', Array.isArray((value as { funding?: unknown }).funding), value);
    refused(await probe.get(pathOf(probe, '/funding?limit=0')), 400, 'InvalidRequest');
  }),
];

function lower(probe: Probe, price: string, steps: number): string {
  return shifted(probe.market, price, -steps);
}

/** Bids fall, asks rise, no size is zero. */
function holdsOrder(book: Doc): void {
  for (const [side, sign] of [
    ['bids', -1],
    ['asks', 1],
  ] as const) {
    const levels = book.list(side);
    for (const [index, level] of levels.entries()) {
      holds(`sizes above zero in ${side}`, level.number('1') > 0, level.value);
      const before = levels[index - 1];
      if (before !== undefined)
        holds(`${side} in order`, sign * (level.number('0') - before.number('0')) > 0, book.value);
    }
  }
}
