/**
 * @module
 * Preloaded by the launcher: what a plugin needs around it. Maps `ballast` and `ballast/*` to this installation, so that a
 * plugin outside of the repository imports the SDK by the same name as one inside; and reports to the launcher which
 * module is loading, as one that never lets go of this thread can be ended from outside only.
 */
import { subscribe } from 'node:diagnostics_channel';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Loading } from '../bot/setup/index.ts';

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'ballast' && !specifier.startsWith('ballast/')) return next(specifier, context);
    // `require` looks from the file that it stands in, whatever the context says: it gets the path.
    return context.conditions.includes('require')
      ? next(fileURLToPath(import.meta.resolve(specifier)), context)
      : next(specifier, { ...context, parentURL: import.meta.url });
  },
});

// With no listener, the signal would end the process (`--disable-sigusr1`).
process.on('SIGUSR1', () => undefined);

if (process.send !== undefined)
  subscribe('ballast:loading', (message) => {
    const { error, withinMs } = message as Loading;
    process.send?.({
      loading: error === undefined ? null : { text: `ballast: ${error.describe()}\n`, withinMs },
    });
  });
