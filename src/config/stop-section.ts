/** @module The section `stop`: what the end of a run does with open positions. */
import { z } from 'zod';
import { choice, durationFrom } from './scalars.ts';

/** The section. */
export const stopSection = z
  .strictObject({
    position: choice('keep', 'flatten')
      .default('keep')
      .describe(
        'What a stop does with open positions. keep: they stay, and the result says so. flatten: they are closed first, with reduce-only orders within the price limits (P3), as `ballast flatten` does.',
      ),
    flattenWithin: durationFrom('1s', '10m')
      .prefault('30s')
      .describe('How long a stop may take to close positions; what is left then stays, and is named.'),
  })
  .describe('What the end of a run does with open positions.');
