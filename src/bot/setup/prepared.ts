/** @module What a run reads from files: nothing after it waits for anything but the clock and the exchange. */
import type { ConfigSource } from '../../config/index.ts';
import type { Crypto } from '../../wire/crypto/index.ts';
import { loadConfiguredCrypto } from './configured-signing.ts';
import { type OperatorStructs, operatorStructs } from './operator-structs.ts';
import { type PreparedStrategy, prepareStrategies } from './strategies.ts';

/** What was read. */
export interface Prepared {
  readonly strategies: readonly PreparedStrategy[];
  readonly crypto: Crypto;
  /** What the operator's document says is signed; absent: ballast's own. */
  readonly structs?: OperatorStructs;
}

/**
 * Reads all of it.
 * @throws ConfigError when a strategy, the signing back end or the operator's document cannot be used.
 */
export async function prepareRun(source: ConfigSource): Promise<Prepared> {
  const strategies = await prepareStrategies(source);
  return { strategies, crypto: await loadConfiguredCrypto(source), structs: operatorStructs(source) };
}
