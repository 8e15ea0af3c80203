/**
 * @module
 * The exchange of G20: the embedded exchange with its participants on loopback, which notes when a switch is armed.
 *
 *   parent ── take ──▶ milliseconds at which the switch was armed since the last time
 */
import { SystemClock, seededRandom } from '../../src/core/index.ts';
import {
  createSyntheticParticipants,
  Exchange,
  type FundedSeedAccount,
  startServer,
} from '../../src/exchange/index.ts';
import { loadCrypto } from '../../src/wire/crypto/index.ts';

/** Said once. */
export interface HeartbeatServerReady {
  readonly origin: string;
  readonly account: FundedSeedAccount;
}

const exchange = new Exchange({
  clock: new SystemClock(),
  random: seededRandom('heartbeat server'),
  crypto: await loadCrypto(),
});
exchange.start();
exchange.attachParticipants(createSyntheticParticipants());
const account = exchange.control.createFundedAccount({ apiWallets: 2 });
let armedAtMs: number[] = [];
exchange.control.watch(({ events }) => {
  for (const event of events)
    if (event.kind === 'ScheduleCancelSet' && event.account === account.accountId)
      armedAtMs.push(performance.now());
});
const server = await startServer(exchange, { port: 0 });

process.on('message', () => {
  process.send?.(armedAtMs);
  armedAtMs = [];
});
process.on('disconnect', () => process.exit(0));
process.send?.({ origin: server.baseUrl, account } satisfies HeartbeatServerReady);
