/** @module Hashes of what the result of a run depends on. */
import { createHash } from 'node:crypto';
import type { ConfigSource } from '../../config/index.ts';
import { VERSION } from '../../core/index.ts';
import type { PreparedStrategy } from './strategies.ts';

/** What a run's result depends on besides its data: the configuration's text, and the code that ran. */
export function hashesOf(
  source: ConfigSource,
  strategies: readonly PreparedStrategy[],
): { readonly configHash: string; readonly codeHash: string } {
  return {
    configHash: sha256(source.text),
    codeHash: sha256([VERSION, ...strategies.map((one) => `${one.name} ${one.sha256}`)].join('\n')),
  };
}

/** SHA-256 in hexadecimal. */
export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
