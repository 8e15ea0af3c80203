/**
 * @module
 * Preloaded by the launcher: maps `ballast` and `ballast/*` to this installation, so that a plugin outside of the
 * repository imports the SDK by the same name as one inside.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    const isOurs = specifier === 'ballast' || specifier.startsWith('ballast/');
    return isOurs ? next(specifier, { ...context, parentURL: import.meta.url }) : next(specifier, context);
  },
});
