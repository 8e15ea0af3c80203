/** @module An embedded exchange on a port, for tests of what only sockets show. */
import { SystemClock, silentLog } from '../../src/core/index.ts';
import {
  type ServedExchange,
  type ServedExchangeOptions,
  serveExchange,
} from '../../src/exchange/host/index.ts';

/** Serves an exchange with one account and without participants on a free port. */
export function serveTest(options: Partial<ServedExchangeOptions> = {}): Promise<ServedExchange> {
  return serveExchange({
    clock: new SystemClock(),
    log: silentLog,
    seed: 5,
    accounts: 1,
    tape: undefined,
    symbol: undefined,
    isQuiet: true,
    port: 0,
    ...options,
  });
}
