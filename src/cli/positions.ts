/** @module `ballast positions`: the positions of a run and who holds them. */
import type { Argv } from 'yargs';
import { columns } from './terminal/columns.ts';
import { readCommand } from './terminal/operate.ts';

/** Adds `positions` to the command line. */
export function positionsCommand(cli: Argv): Argv {
  return readCommand(cli, 'positions', 'List the positions of a run and who holds them', ({ positions }) =>
    columns([
      ['MARKET', 'POSITION', 'ENTRY', 'MARK', 'UNREALIZED', 'UNOWNED', 'BY STRATEGY'],
      ...positions.map((row) => [
        ...[row.symbol, row.position, row.averagePrice ?? '-', row.mark ?? '-', row.unrealized],
        row.unowned,
        Object.entries(row.byStrategy)
          .map(([name, size]) => `${name} ${size ?? '0'}`)
          .join(', '),
      ]),
    ]),
  );
}
