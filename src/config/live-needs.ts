/**
 * @module
 * What orders on a gateway need of a configuration. Recordings and paper trading read public streams only, so that a
 * configuration without an account and wallets holds for them.
 */

import type { Finding } from '../core/yaml/index.ts';
import { type ConfigSource, invalid } from './load.ts';

/** What is missing for orders on a gateway; empty: nothing, or the environment is `sim`. */
export function liveNeeds({ config, find }: ConfigSource): readonly Finding[] {
  if (config.environment.name === 'sim') return [];
  const findings: Finding[] = [];
  if (config.account.address === undefined)
    findings.push({ ...find(['account', 'address'], 'the main wallet address'), found: 'nothing' });
  if (!config.wallets.some(({ role }) => role === 'trading'))
    findings.push({ ...find(['wallets'], 'at least one wallet of role trading'), found: 'none' });
  return findings;
}

/** @throws ConfigError `CONFIG_INVALID` with every key that orders on a gateway need and the configuration lacks. */
export function requireLive(source: ConfigSource): void {
  const findings = liveNeeds(source);
  if (findings.length > 0) throw invalid(findings);
}
