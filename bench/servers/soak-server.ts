/**
 * @module
 * The exchange of G18: the embedded exchange with its participants on loopback, on a scaled clock, whose streams are cut
 * and lose frames all day.
 */
import { seededRandom } from '../../src/core/index.ts';
import { createSyntheticParticipants, Exchange, startServer } from '../../src/exchange/index.ts';
import { loadCrypto } from '../../src/wire/crypto/index.ts';
import type { SoakCounts, SoakOrder, SoakReady } from '../goals/soak/wire.ts';
import { ScaledClock } from '../scaled-clock.ts';

/** Of the scaled clock: 27 ms of the machine's when it is 15 times faster. */
const BLOCK_MS = 400;
/** Between two cuts of all streams, and between two losses of frames, ms of the scaled clock. */
const CUT_MS = 62_000;
const LOSS_MS = 45_000;
/** How long frames are lost until streams hear of it. */
const LOST_MS = 2_000;

const clock = new ScaledClock();
const exchange = new Exchange({
  ...{ clock, random: seededRandom('soak server'), crypto: await loadCrypto() },
  settings: { blockMs: BLOCK_MS, ipWeightLimit: 1e9, accountWeightLimit: 1e9 },
});
exchange.start();
exchange.attachParticipants(createSyntheticParticipants());
const account = exchange.control.createFundedAccount({ apiWallets: 2 });
const counts = { armed: 0, cuts: 0, losses: 0, orders: 0 };
exchange.control.watch(({ events }) => {
  for (const event of events) {
    if (event.kind === 'ScheduleCancelSet' && event.account === account.accountId) counts.armed++;
    if (event.kind === 'OrderAccepted' && event.order.account === account.accountId) counts.orders++;
  }
});
clock.every(CUT_MS, () => {
  exchange.control.disconnect();
  counts.cuts++;
});
clock.every(LOSS_MS, () => {
  exchange.control.dropFrames();
  clock.after(LOST_MS, () => exchange.control.lagStreams());
  counts.losses++;
});
const server = await startServer(exchange, { port: 0 });
process.on('message', (order: SoakOrder) => {
  if (order !== 'counts') clock.setPace(order.clock);
  process.send?.({ ...counts } satisfies SoakCounts);
});
process.on('disconnect', () => process.exit(0));
process.send?.({ origin: server.baseUrl, account } satisfies SoakReady);
