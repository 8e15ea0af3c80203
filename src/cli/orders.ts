/** @module `ballast orders`: the open orders of a run. */
import type { Argv } from 'yargs';
import { columns } from './terminal/columns.ts';
import { readCommand } from './terminal/operate.ts';

/** Adds `orders` to the command line. */
export function ordersCommand(cli: Argv): Argv {
  return readCommand(cli, 'orders', 'List the open orders of a run', ({ orders }) =>
    orders.length === 0
      ? 'no open orders'
      : columns([
          ['MARKET', 'ORDER', 'STRATEGY', 'SIDE', 'PRICE', 'SIZE', 'REMAINING', 'WAITS FOR'],
          ...orders.map(({ symbol, orderId, strategy, side, price, size, remaining, waitsFor }) => [
            ...[symbol, orderId, strategy ?? '-', side, price, size, remaining, waitsFor ?? '-'],
          ]),
        ]),
  );
}
