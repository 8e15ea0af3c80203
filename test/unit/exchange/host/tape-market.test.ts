import { expect, test } from 'vitest';
import { openTapeMarket, type TapeChoice } from '../../../../src/exchange/host/tape-market.ts';
import {
  createRowsWriter,
  createTapeFolder,
  EVENT,
  FLAG_END,
  type TapeMarket,
} from '../../../../src/tape/format/index.ts';
import { tapeMarket, withTapeFolder } from '../../tape/format/tapes.ts';

/** A tape with one book a market: 99 to 103 in the first, twice that in the second and so on. */
function writeTape(folder: string, markets: readonly TapeMarket[]): void {
  const tape = createTapeFolder({ folder, markets, source: { kind: 'test', description: 'a test' } });
  const writer = createRowsWriter(tape);
  for (const market of markets.keys())
    for (const [kind, flags, price] of [
      [EVENT.bidLevel, 0, 99],
      [EVENT.askLevel, FLAG_END, 103],
    ] as const)
      writer.write({
        ...{ kind, flags, market, exchangeUs: 1_000_000, receivedUs: 1_000_000 },
        ...{ price: price * (market + 1), size: 5, id: 0 },
      });
  writer.close();
  tape.close();
}

const open = (choice: TapeChoice) =>
  openTapeMarket(choice, (error) => {
    throw error;
  });
const TWO = [tapeMarket('BTC-USD'), tapeMarket('ETH-USD')];

test.each([
  ['the first without a choice', {}, 'BTC-USD', 101],
  ['the one that is named', { symbol: 'eth-usd' }, 'ETH-USD', 202],
  ['the one that the exchange is to have', { marketName: 'ETH-USD' }, 'ETH-USD', 202],
  ['the first under another name', { marketName: 'SOL-USD' }, 'SOL-USD', 101],
  ['the one that is named under another name', { symbol: 'ETH-USD', marketName: 'BTC-USD' }, 'BTC-USD', 202],
])('plays %s', (_, choice, symbol, indexTicks) =>
  withTapeFolder((tape) => {
    writeTape(tape, TWO);
    const { perpetual, about } = open({ tape, ...choice });
    expect(perpetual).toMatchObject({
      indexTicks,
      market: { symbol, priceDecimals: 1, sizeDecimals: 5, minNotional: 0n },
    });
    expect(about[0]).toContain(`of the tape ${tape} (a test), 1970-01-01T00:00:01.000Z to`);
  }),
);

test('error: names the markets that can be played', () =>
  withTapeFolder((tape) => {
    writeTape(tape, [...TWO, { ...tapeMarket('SOL-USD'), depth: 'bbo' }]);
    expect(() => open({ tape, symbol: 'SOL-USD' })).toThrowError(
      `expected a market of ${tape} with recorded levels (BTC-USD, ETH-USD), got SOL-USD`,
    );
  }));

test('error: a tape without a book cannot drive an exchange', () =>
  withTapeFolder((tape) => {
    writeTape(tape, [{ ...tapeMarket('BTC-USD'), depth: 'orders' }]);
    expect(() => open({ tape })).toThrowError(
      `expected a market with recorded levels in ${tape}, got BTC-USD (depth orders)`,
    );
  }));
