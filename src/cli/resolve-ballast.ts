/**
 * @module
 * Preloaded by the launcher: what a plugin needs around it. Maps `ballast` and `ballast/*` to this installation, so that a
 * plugin outside of the repository imports the SDK by the same name as one inside; finds the optional packages of the user;
 * and reports to the launcher which module is loading, as one that never lets go of this thread can be ended from outside
 * only.
 */
import { subscribe } from 'node:diagnostics_channel';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Loading } from '../bot/setup/index.ts';

/** Packages that a user installs for one purpose: they stand in the project, which need not hold this installation. */
const OF_THE_USER = /^(?:bullmq|ioredis|@duckdb\/node-api)$/;

registerHooks({
  resolve(specifier, context, next) {
    if (OF_THE_USER.test(specifier)) return resolveOfUser(specifier, context, next);
    if (specifier !== 'ballast' && !specifier.startsWith('ballast/')) return next(specifier, context);
    // `require` looks from the file that it stands in, whatever the context says: it gets the path.
    return context.conditions.includes('require')
      ? next(fileURLToPath(import.meta.resolve(specifier)), context)
      : next(specifier, { ...context, parentURL: import.meta.url });
  },
});

type Resolve = NonNullable<Parameters<typeof registerHooks>[0]['resolve']>;

/** From here, else from the folder that the command was started in. */
function resolveOfUser(...[specifier, context, next]: Parameters<Resolve>): ReturnType<Resolve> {
  try {
    return next(specifier, context);
  } catch {
    return next(specifier, { ...context, parentURL: pathToFileURL(join(process.cwd(), 'any.js')).href });
  }
}

// With no listener, the signal would end the process (`--disable-sigusr1`).
process.on('SIGUSR1', () => undefined);

if (process.send !== undefined)
  subscribe('ballast:loading', (message) => {
    const { error, withinMs } = message as Loading;
    process.send?.({
      loading: error === undefined ? null : { text: `ballast: ${error.describe()}\n`, withinMs },
    });
  });
