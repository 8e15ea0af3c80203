/**
 * Symptom: the exchange dropped fills in silence, then sent the fills of the running block and only behind them `lagged`.
 * A client that goes on from its last fill, as the interface says, never heard of the dropped ones (I1, F17, A18).
 */
import { expect, test } from 'vitest';
import { defaultQuirks } from '../../src/exchange/index.ts';
import { startTestExchange } from '../support/test-exchange.ts';

test('fills that wait for the end of a block are dropped with those before them, and pages bring all', async () => {
  const maker = await startTestExchange({ quirks: { ...defaultQuirks(), A18: 'blocks-first' } });
  const taker = maker.another();
  const stream = maker.stream();
  const params = { channel: 'fills', address: maker.address };
  stream.subscribe(params);
  const sell = (price: number): void => {
    taker.place([{ side: 'sell', price: `${price}.0`, size: '0.0010', timeInForce: 'ioc' }]);
  };
  maker.place([{ size: '1.0000' }]);
  sell(90_000);
  maker.blocks(1);
  maker.exchange.control.dropFrames();
  sell(89_999);
  maker.blocks(1);
  const other = maker.stream();
  other.subscribe(params);
  sell(89_998);
  maker.exchange.control.lagStreams();
  sell(89_997);
  maker.blocks(1);

  const channels = stream.frames.map(({ channel }) => channel);
  expect(channels).toEqual(['subscribed', 'fills', 'lagged', 'fills']);
  const [lagged] = stream.of('lagged');
  expect(lagged.data.dropped).toBe(2);
  const [first, last] = stream.of('fills').map(({ data }) => data.id);
  const { epoch, upper } = lagged.data;
  const path = `/v1/account/fills?address=${maker.address}`;
  const page = maker.get(`${path}&after=${first}&epoch=${epoch}&upper=${upper}`).json;
  const idsOf = (fills: readonly { readonly id: string }[]): readonly string[] => fills.map(({ id }) => id);
  const whole = idsOf(maker.get(path).json.data);
  expect([first, ...idsOf(page.data), last]).toEqual(whole);
  // Who missed nothing before them still gets them.
  expect(other.of('fills').map(({ data }) => data.id)).toEqual(whole.slice(2));
});
