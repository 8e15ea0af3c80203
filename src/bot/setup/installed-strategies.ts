/**
 * @module
 * The strategies that come with ballast, in an installed package. Node strips no types below node_modules, where such a
 * package stands. Ballast strips those of its own strategies, so that the same files with the same hash run in a clone
 * and in a package. What this does not do: types of other packages, which must ship JavaScript.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { INSTALLATION } from '../../core/index.ts';

/** Folder of the bundled strategies, with a separator at its end. */
export const INSTALLED_STRATEGIES = join(INSTALLATION, 'strategies', sep);

let isRegistered = false;

/** From now on bundled strategies load. Called before any other hook that looks at code: the later one is asked first. */
export function loadInstalledStrategies(): void {
  if (isRegistered || !INSTALLED_STRATEGIES.includes(`${sep}node_modules${sep}`)) return;
  isRegistered = true;
  const start = pathToFileURL(INSTALLED_STRATEGIES).href;
  registerHooks({
    load(url, context, next) {
      const [file = ''] = url.split('?', 1);
      if (!file.startsWith(start) || !file.endsWith('.ts')) return next(url, context);
      const source = stripTypeScriptTypes(readFileSync(fileURLToPath(file), 'utf8'));
      return { format: 'module', source, shortCircuit: true };
    },
  });
}
