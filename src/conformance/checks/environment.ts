/** @module Checks of the environment and of public market data. */
import { CANDLE_INTERVALS } from '../../domain/index.ts';
import type { Answer, Doc } from '../answer.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, matches, refused, refusedWith, same } from '../expect.ts';
import type { Gate } from '../gate.ts';
import { shifted } from '../orders.ts';
import { sizeOf, trade } from './steps.ts';

const DECIMAL = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const NOBODY = 'NO-SUCH-MARKET';

const exchange = async (gate: Gate): Promise<Answer> => answered(await gate.get('/v1/exchange'));
const marketRows = async (gate: Gate): Promise<readonly Doc[]> =>
  answered(await gate.get('/v1/markets')).list('markets');
const pathOf = (gate: Gate, rest: string): string =>
  `/v1/markets/${encodeURIComponent(gate.market.symbol)}${rest}`;

/** The environment. */
export const ENVIRONMENT: readonly Check[] = [
  check('GW-ENV-1', 'public', async (gate) => {
    const { value } = answered(await gate.get('/v1/time'));
    const time = (value as { readonly serverTime: unknown }).serverTime;
    holds('serverTime as an integer of Unix ms', Number.isInteger(time) && Number(time) > 1e12, time);
  }),
  check('GW-ENV-2', 'public', async (gate) => {
    const first = await gate.serverMs();
    await gate.pause(30);
    const second = await gate.serverMs();
    holds('a later time that is not earlier', second >= first, { first, second });
  }),
  check('GW-ENV-3', 'public', async (gate) => {
    const about = await exchange(gate);
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
  check('GW-ENV-4', 'public', async (gate) => {
    const domain = (await exchange(gate)).part('domain');
    matches('domain.name', domain.at('name'), /./);
    matches('domain.version', domain.at('version'), /./);
    matches('domain.verifyingContract', domain.at('verifyingContract'), ADDRESS);
  }),
  check('GW-ENV-5', 'public', async (gate) => {
    const about = await exchange(gate);
    same('domain.chainId', about.text('domain.chainId'), about.text('chainId'));
  }),
  check('GW-ENV-6', 'public', async (gate) => {
    const tokens = (await exchange(gate)).list('tokens');
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
  check('GW-ENV-7', 'public', async (gate) => {
    const usdc = (await exchange(gate)).list('tokens').find((token) => token.at('symbol') === 'USDC');
    same('decimals of USDC', usdc?.at('decimals'), 6);
  }),
  check('GW-ENV-8', 'public', async (gate) => {
    const answer = await gate.get('/v1/time', { authorization: 'Bearer nothing' });
    answered(answer);
    same('www-authenticate', answer.header('www-authenticate'), undefined);
  }),
  check('GW-ENV-9', 'public', async (gate) => {
    refusedWith(await gate.get('/v1/no-such-thing'), 404);
    refusedWith(await gate.get('/v2/time'), 404);
  }),
  check('GW-ENV-10', 'public', async (gate) => {
    matches('content-type', (await gate.get('/v1/time')).header('content-type'), /^application\/json/);
    matches('content-type', (await gate.get('/v1/none')).header('content-type'), /^application\/json/);
  }),
  check('GW-ENV-11', 'public', async (gate) => {
    same('the second answer', (await exchange(gate)).body, (await exchange(gate)).body);
  }),
  check('GW-ENV-12', 'public', async (gate) => {
    refusedWith(await gate.post('/v1/time', '{}'), 404);
  }),
];

/** The market table. */
export const MARKETS: readonly Check[] = [
  check('GW-MARKET-1', 'public', async (gate) => {
    const rows = await marketRows(gate);
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
  check('GW-MARKET-2', 'public', async (gate) => {
    const [row] = await marketRows(gate);
    const symbol = encodeURIComponent(row?.text('symbol') ?? '');
    same('the single market', answered(await gate.get(`/v1/markets/${symbol}`)).value, row?.value);
  }),
  check('GW-MARKET-3', 'public', async (gate) => {
    const symbols = (await marketRows(gate)).map((row) => row.at('symbol'));
    same('symbols that differ', new Set(symbols).size, symbols.length);
  }),
  check('GW-MARKET-4', 'public', async (gate) => {
    const ids = (await marketRows(gate)).map((row) => row.at('signingMarketId'));
    same('signing ids that differ', new Set(ids).size, ids.length);
    for (const id of ids)
      holds('a signing id of 16 bits', Number.isInteger(id) && Number(id) >= 0 && Number(id) < 65_536, id);
  }),
  check('GW-MARKET-5', 'public', async (gate) => {
    for (const row of await marketRows(gate))
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
  check('GW-MARKET-6', 'public', async (gate) => {
    for (const row of await marketRows(gate)) matches('status', row.at('status'), /^[A-Za-z]+$/);
  }),
  check('GW-MARKET-7', 'public', async (gate) => {
    refusedWith(await gate.get(`/v1/markets/${NOBODY}`), 404);
    for (const rest of ['book', 'trades', 'candles?interval=1m', 'funding'])
      refusedWith(await gate.get(`/v1/markets/${NOBODY}/${rest}`), 404);
  }),
  check('GW-MARKET-8', 'public', async (gate) => {
    const { symbol } = gate.market;
    const encoded = `%${symbol.charCodeAt(0).toString(16)}${symbol.slice(1)}`;
    same('symbol', answered(await gate.get(`/v1/markets/${encoded}`)).at('symbol'), symbol);
  }),
  check('GW-MARKET-9', 'control', async (gate) => {
    const { symbol } = gate.market;
    for (const status of ['Paused', 'CancelOnly', 'Active']) {
      await gate.stage.setMarketStatus(symbol, status);
      same('status', answered(await gate.get(`/v1/markets/${symbol}`)).at('status'), status);
    }
  }),
];

/** Public market data. */
export const MARKET_DATA: readonly Check[] = [
  check('GW-DATA-1', 'public', async (gate) => {
    const prices = answered(await gate.get('/v1/prices')).list('prices');
    const rows = await marketRows(gate);
    const symbols = (docs: readonly Doc[]) => docs.map((doc) => doc.text('symbol')).sort();
    same('markets with prices', symbols(prices), symbols(rows));
  }),
  check('GW-DATA-2', 'public', async (gate) => {
    for (const price of answered(await gate.get('/v1/prices')).list('prices'))
      for (const name of ['markPrice', 'indexPrice', 'lastPrice', 'bestBid', 'bestAsk'])
        if (price.at(name) !== null) matches(name, price.at(name), DECIMAL);
  }),
  check('GW-DATA-3', 'public', async (gate) => {
    const book = answered(await gate.get(pathOf(gate, '/book')));
    same('symbol', book.at('symbol'), gate.market.symbol);
    holdsOrder(book);
  }),
  check('GW-DATA-4', 'public', async (gate) => {
    for (const depth of [0, 101, 'x', '1.5', -1])
      refused(await gate.get(pathOf(gate, `/book?depth=${depth}`)), 400, 'InvalidRequest');
  }),
  check('GW-DATA-5', 'control', async (gate) => {
    const trader = await gate.trader();
    const order = await gate.farOrder();
    const orders = [1, 2, 3].map((step) => ({ ...order, price: lower(gate, order.price, step) }));
    await trader.write('/v1/orders', { orders, nowMs: await gate.serverMs() });
    const levels = answered(await gate.get(pathOf(gate, '/book?depth=2'))).list('bids');
    same('levels at depth 2', levels.length, 2);
    holdsOrder(answered(await gate.get(pathOf(gate, '/book'))));
  }),
  check('GW-DATA-6', 'public', async (gate) => {
    answered(await gate.get(pathOf(gate, '/trades')));
    for (const limit of [0, 201, 'x'])
      refused(await gate.get(pathOf(gate, `/trades?limit=${limit}`)), 400, 'InvalidRequest');
  }),
  check('GW-DATA-7', 'public', async (gate) => {
    for (const interval of CANDLE_INTERVALS)
      answered(await gate.get(pathOf(gate, `/candles?interval=${interval}`)));
  }),
  check('GW-DATA-8', 'public', async (gate) => {
    for (const query of [
      '',
      '?interval=7m',
      '?interval=',
      '?interval=1m&limit=0',
      '?interval=1m&startTime=-1',
    ])
      refused(await gate.get(pathOf(gate, `/candles${query}`)), 400, 'InvalidRequest');
  }),
  check('GW-DATA-9', 'public', async (gate) => {
    const fees = answered(await gate.get('/v1/fees'));
    for (const name of ['base.takerFeePpm', 'base.makerFeePpm'])
      holds(`${name} as an integer`, Number.isInteger(fees.at(name)), fees.value);
  }),
  check('GW-DATA-11', 'control', async (gate) => {
    const [maker, taker] = [await gate.trader(), await gate.trader()];
    await trade(gate, { maker, taker }, await sizeOf(gate));
    for (const interval of CANDLE_INTERVALS) {
      const [bar] = answered(await gate.get(pathOf(gate, `/candles?interval=${interval}&limit=1`))).list(
        'candles',
      );
      same('the interval', bar?.at('interval'), interval);
      holds('a trade', (bar?.number('trades') ?? 0) > 0, bar?.value);
    }
  }),
  check('GW-DATA-10', 'public', async (gate) => {
    const { value } = answered(await gate.get(pathOf(gate, '/funding')));
    holds('a list of settlements', Array.isArray((value as { funding?: unknown }).funding), value);
    refused(await gate.get(pathOf(gate, '/funding?limit=0')), 400, 'InvalidRequest');
  }),
];

function lower(gate: Gate, price: string, steps: number): string {
  return shifted(gate.market, price, -steps);
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
