/**
 * @module
 * The exchange as a process of its own that tells what rests in it: the first line of standard output is the one of
 * `ballast sim`, each later one is a {@link BookState}, printed whenever orders or switch of a funded account change. It
 * speaks from the venue itself, so what it says is neither late nor rounded by somebody who looks from time to time.
 *
 * Usage: node scripts/prove/force/exchange.ts --seed 1 --accounts 4
 */
import { parseArgs } from 'node:util';
import { must, SystemClock, silentLog } from '../../../src/core/index.ts';
import type { Address } from '../../../src/domain/index.ts';
import type { ExchangeControl } from '../../../src/exchange/control/index.ts';
import { serveExchange } from '../../../src/exchange/host/index.ts';

/** How soon the death of the process that started it is noticed. */
const PARENT_LOOK_MS = 1_000;

/** What an account has in the book from `atMs` on, by the exchange's clock. */
export interface BookState {
  /** Address of the account. */
  readonly account: string;
  readonly atMs: number;
  /** Its resting orders and those that wait for a trigger, each by the id under which answers and journal name it. */
  readonly open: readonly string[];
  /** Those of them that wait; absent: none. */
  readonly waiting?: readonly string[];
  /** When its switch fires; 0: it is not armed. */
  readonly armedUntilMs: number;
}

/** What the account with this number has in the book, and its switch. */
export function bookOf(
  { venue }: Pick<ExchangeControl, 'venue'>,
  account: number,
): Pick<BookState, 'open' | 'waiting' | 'armedUntilMs'> {
  const waiting = venue.waitingOrders(account).map(({ orderSeq }) => orderSeq.toString());
  return {
    open: [...venue.openOrders(account).map(({ orderSeq }) => orderSeq.toString()), ...waiting],
    ...(waiting.length === 0 ? {} : { waiting }),
    armedUntilMs: venue.account(account).scheduleCancelAtMs,
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { seed: { type: 'string', default: '1' }, accounts: { type: 'string', default: '1' } },
  });
  const clock = new SystemClock();
  const served = await serveExchange({
    clock,
    log: silentLog,
    seed: Number(values.seed),
    accounts: Number(values.accounts),
    port: 0,
    tape: undefined,
    symbol: undefined,
    isQuiet: false,
    // Neither cancel-all nor the switch reaches orders that wait: who empties a book with one has to name it.
    quirks: ['A13=plain'],
  });
  // The process that started it may be killed, and cannot end it then.
  const startedBy = process.ppid;
  clock.every(PARENT_LOOK_MS, () => {
    if (process.ppid !== startedBy) process.exit(0);
  });
  const { control } = served.exchange;
  const numbers = new Map(
    served.accounts.map(({ address }) => [
      address,
      must(control.accountId(address as Address), 'the number of a funded account'),
    ]),
  );
  const last = new Map<string, string>();
  print({ baseUrl: served.server.baseUrl, accounts: served.accounts });
  control.watch(({ events, receipt }) => {
    if (events.length === 0 && receipt === undefined) return;
    for (const [account, number] of numbers) {
      const state = bookOf(control, number);
      const now = JSON.stringify(state);
      if (last.get(account) === now) continue;
      last.set(account, now);
      print({ account, atMs: clock.nowMs(), ...state } satisfies BookState);
    }
  });
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
