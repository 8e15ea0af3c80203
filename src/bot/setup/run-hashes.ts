/** @module Hashes of what the result of a run depends on. */
import type { ConfigSource } from '../../config/index.ts';
import { sha256, VERSION } from '../../core/index.ts';
import type { PreparedStrategy } from './strategies.ts';

/** What a run's result depends on apart from its data: the configuration's text, and the code that ran. */
export function hashesOf(
  source: ConfigSource,
  strategies: readonly PreparedStrategy[],
): { readonly configHash: string; readonly codeHash: string } {
  return {
    configHash: sha256(source.text),
    codeHash: sha256([VERSION, ...strategies.map((one) => `${one.name} ${one.sha256}`)].join('\n')),
  };
}
