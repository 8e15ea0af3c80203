/**
 * @module
 * `ballast demo`: the embedded exchange as a process of its own and a market maker on it. No keys, no network.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BotError } from '../../core/index.ts';
import { runSession } from './run.ts';

/** What `demo` takes. */
export interface DemoOptions {
  readonly forMs: number | undefined;
  readonly isJson: boolean;
  readonly seed: number | undefined;
  readonly tape: string | undefined;
  readonly symbol: string | undefined;
  readonly config: string | undefined;
  readonly html: string | undefined;
  readonly isVerbose: boolean;
}

/** Runs the demo. */
export function demo(options: DemoOptions): Promise<number> {
  return runSession({ ...options, mode: 'demo', config: options.config ?? shippedConfig() });
}

/** configs/demo.yaml of this installation, wherever this file was built to. */
function shippedConfig(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, 'configs', 'demo.yaml');
    if (existsSync(file)) return file;
    if (dirname(folder) === folder) break;
  }
  throw new BotError({
    code: 'CONFIG_DEMO_MISSING',
    message: 'expected configs/demo.yaml in this installation, found none',
    remedy: 'Install ballast again, or name a configuration with --config.',
  });
}
