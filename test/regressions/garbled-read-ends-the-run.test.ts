/**
 * Symptom: one answer to a read that a proxy had garbled on its way, with status 200, ended a start with `CORE_JSON_INVALID`
 * and exit code 65, which says that no restart fixes it; in the proof at the end it took the place of the whole report. A
 * 4xx without an error of the interface ended a start likewise (obligations O67, O73).
 */
import { describe, expect, test } from 'vitest';
import { EXIT, exitCodeOf } from '../../src/cli/terminal/exit-codes.ts';
import type { ExchangeRequest, RequestFault } from '../../src/exchange/index.ts';
import { problemsOf, runWholeBot } from '../support/whole-bot.ts';

const FOR_MS = 6_000;

function page(status: number): RequestFault {
  const headers = { 'content-type': 'text/html' };
  return { kind: 'replaceResponse', answer: { status, headers, body: '<html>not the exchange</html>' } };
}

/** What a start and a proof read, each once. */
const READS = [
  ['the time', '/v1/time'],
  ['the environment', '/v1/exchange'],
  ['the markets', '/v1/markets'],
  ['the account', '/v1/account'],
  ['the open orders', '/v1/account/orders'],
  ['the fills', '/v1/account/fills'],
  ['the grants', '/v1/account/agents'],
  ['the candles', '/v1/markets/BTC-USD/candles'],
] as const;

const isReadOf =
  (path: string) =>
  (request: ExchangeRequest): boolean =>
    request.method === 'GET' && request.path.split('?')[0] === path;

describe('a read that is garbled', () => {
  test.each(READS)('at the start is made again: %s', async (_what, path) => {
    let hit = 0;
    const run = await runWholeBot({
      seed: 3,
      forMs: FOR_MS,
      prepare: ({ exchange }) => {
        for (const status of [200, 403])
          exchange.control.disturb({
            fault: () => {
              hit++;
              return page(status);
            },
            matches: isReadOf(path),
          });
      },
    });
    expect(hit).toBe(2);
    expect(problemsOf(run)).toEqual([]);
  });

  test('in the proof at the end is made again', async () => {
    let hit = 0;
    const run = await runWholeBot({
      seed: 3,
      forMs: FOR_MS,
      prepare: ({ exchange, clock }) =>
        clock.after(FOR_MS, () =>
          exchange.control.disturb({
            fault: () => {
              hit++;
              return page(200);
            },
            times: 4,
            matches: isReadOf('/v1/account/ledger'),
          }),
        ),
    });
    expect(hit).toBe(4);
    expect(problemsOf(run)).toEqual([]);
  });

  test('forever ends by a name that says how the book stands', async () => {
    const error = await runWholeBot({
      seed: 3,
      forMs: FOR_MS,
      prepare: ({ exchange, clock }) =>
        clock.after(FOR_MS, () =>
          exchange.control.disturb({
            fault: page(200),
            times: Number.POSITIVE_INFINITY,
            matches: isReadOf('/v1/account'),
          }),
        ),
    }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'VERIFICATION_UNREADABLE',
      message: expect.stringContaining('; no order is open'),
    });
    expect(exitCodeOf(error)).toBe(EXIT.unreachable);
  });
});
