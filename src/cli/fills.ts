/** @module `ballast fills`: the newest fills of a run. */
import type { Argv } from 'yargs';
import { columns } from './terminal/columns.ts';
import { readCommand } from './terminal/operate.ts';

/** Adds `fills` to the command line. */
export function fillsCommand(cli: Argv): Argv {
  return readCommand(cli, 'fills', 'List the newest 50 fills of a run', ({ fills }) =>
    fills.length === 0
      ? 'no fills yet'
      : columns([
          ['TIME, UTC', 'MARKET', 'STRATEGY', 'SIDE', 'PRICE', 'SIZE', 'ROLE', 'FILL'],
          ...fills.map(({ atMs, symbol, strategy, side, price, size, role, id }) => [
            atMs === null ? '-' : timeOf(atMs),
            ...[symbol, strategy ?? '-', side, price, size, role, id],
          ]),
        ]),
  );
}

/** The newest fills are of this year: month, day and time are enough, and leave room for the others. */
function timeOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(5, -1).replace('T', ' ');
}
