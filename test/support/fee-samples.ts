/** @module Well-formed samples of answers about builder dexes and builders, see `wire-samples`. */
import type { WireBuilderSummary, WireDex, WireDexes } from '../../src/wire/protocol/index.ts';

const dex: WireDex = {
  id: 'one',
  name: 'A dex',
  deployer: '0x1111111111111111111111111111111111111111',
  symbols: ['BTC-USD'],
  feeScalePpm: 500_000,
  deployerFeePpm: 40,
};
const dexes: WireDexes = { dexes: [dex] };
const builderSummary: WireBuilderSummary = {
  builder: dex.deployer,
  accountId: 9,
  feesEarned: '0.100000',
  volume: '4000.000000',
};

/** By endpoint. */
export const FEE_ANSWERS = { dex, dexes, builderSummary } as const;
