/** @module Python with packages of the peers, in an environment of its own in the user's cache; skipped where there is none. */
import { environment } from '../../bench/engines/environment.ts';

let found: ReturnType<typeof environment> | undefined;

/** The interpreter, made when it is not there; without Python or packages `undefined`, said in one line. */
export function pythonOfPeers(): string | undefined {
  if (found === undefined) {
    found = environment({
      folder: 'peers',
      packages: ['empyrical-reloaded', 'quantstats', 'pandas', 'polars', 'duckdb', 'pyarrow'],
      modules: ['empyrical', 'quantstats', 'pandas', 'polars', 'duckdb', 'pyarrow'],
    });
    if (found.reason !== undefined) console.warn(found.reason);
  }
  return found.path;
}
