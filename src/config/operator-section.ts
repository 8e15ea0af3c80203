/** @module How a person names a bot, and the section `operator`: how they reach it while it runs. */
import { z } from 'zod';
import { choice, flag, hostName, integer, name } from './scalars.ts';

/** The key `name`. */
export const botName = name
  .optional()
  .describe(
    'Name of the bot: with environment and account it names the journal, and commands find its runs by it. Left out: the name of the file. With it the file may be renamed; what the bot kept under the name of the file is taken over.',
  );

/** The section. */
export const operatorSection = z
  .strictObject({
    enabled: flag
      .prefault('true')
      .describe(
        'Whether a run can be reached while it goes on: `ballast status`, `pause`, `set` and the others, and what asks its door over HTTP on loopback.',
      ),
    port: integer(0, 65_535)
      .prefault('0')
      .describe(
        'Port of the door; 0: any that is free. Address and token are in control.json in the folder of the run.',
      ),
    address: choice('127.0.0.1', '0.0.0.0', '::')
      .prefault('127.0.0.1')
      .describe(
        'Where the door listens. With 0.0.0.0 or :: it is reached from other machines as well, over plain HTTP: for the network of a container alone.',
      ),
    hosts: z
      .array(hostName)
      .max(10, { error: 'at most ten names' })
      .default([])
      .describe(
        'Names beside localhost under which the door may be asked, without a port. Any other name is refused, so that no page can reach it.',
      ),
    openMetrics: flag
      .prefault('false')
      .describe(
        'Whether `GET /metrics`, `/healthz` and `/readyz` are answered without the token. The first tells positions and profit.',
      ),
  })
  .describe('The door at which a person reaches a run.');
