/**
 * @module
 * The embedded exchange as the gateway that conformance is checked against: real sockets on a free port, time that
 * follows the wall clock and can be moved ahead, and its control actions in process.
 */
import { type Clock, seededRandom } from '../../core/index.ts';
import { type Address, ppm, quantums } from '../../domain/index.ts';
import { runControlAction } from '../../exchange/control/index.ts';
import { ControlledClock, Exchange } from '../../exchange/kernel/index.ts';
import { ControlApi, startServer } from '../../exchange/server/index.ts';
import { loadCrypto } from '../../wire/crypto/index.ts';

/** Request weight while no check is about it. */
const UNLIMITED_WEIGHT = 100_000_000;

/** A builder dex of the second market, and a fee tier that no account reaches: so that there is something to read. */
const DEX = {
  id: 'eth-dex',
  name: 'An ether dex',
  deployer: '0x00000000000000000000000000000000000000dd' as Address,
  symbols: ['ETH-USD'],
  feeScalePpm: ppm(500_000),
  deployerFeePpm: ppm(40),
};
const TIER = {
  tier: 1,
  volume: quantums(10n ** 18n),
  takerFeePpm: ppm(350),
  makerFeePpm: ppm(-20),
};

/** An exchange that conformance can be run against. Its control is the port of a harness; to close it ends the exchange. */
export async function startConformanceExchange(options: { readonly clock: Clock; readonly seed?: number }) {
  const { seed = 7 } = options;
  const crypto = await loadCrypto();
  const clock = new ControlledClock(options.clock);
  const exchange = new Exchange({
    clock,
    random: seededRandom(seed),
    crypto,
    settings: {
      // There is a replica, without a lag until a check sets one.
      replicaLagMs: 1,
      ipWeightLimit: UNLIMITED_WEIGHT,
      accountWeightLimit: UNLIMITED_WEIGHT,
      dexes: [DEX],
      feeTiers: [TIER],
    },
  });
  const { control } = new ControlApi({ exchange, clock, controlledClock: clock }).exchange;
  exchange.start();
  const server = await startServer(exchange);
  return {
    baseUrl: server.baseUrl,
    control: {
      run: (action: string, parameters: object) => runControlAction(control, action, parameters),
      close: async () => {
        await server.close();
        exchange.stop();
      },
    },
  };
}
