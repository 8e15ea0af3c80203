/** @module The section `keep`: how long what runs leave is kept. */
import { z } from 'zod';
import { durationFrom, integer } from './scalars.ts';

const kind = (what: string) =>
  z
    .strictObject({
      age: durationFrom('1h').optional().describe('What is older is deleted. Left out: no age is too old.'),
      sizeMb: integer(1, 100_000_000)
        .optional()
        .describe('When all of them are larger, in megabytes, the oldest are deleted. Left out: no limit.'),
    })
    .prefault({})
    .describe(what);

/** The section. */
export const keepSection = z
  .strictObject({
    tapes: kind('Tapes of runs in `record.folder`: what the gateway sent.'),
    runLogs: kind('Logs of runs, of which `ballast replay` makes a run again.'),
    records: kind(
      'Records of runs, of which `ballast report` makes its pages, and what `ballast explain` and `ballast attest` need of a run that has ended.',
    ),
  })
  .describe(
    'How long what runs leave in `record.folder` is kept. A run that goes on, and one whose end is not proven and that no later run of the bot has settled, keeps all of it. Live runs, paper runs and runs on an own exchange look when they begin and each hour. The journals of accounts on a gateway are never deleted.',
  );

/** Keys of the section `log` about its files. */
export const logTurns = {
  maxSizeMb: integer(1, 1_000_000)
    .optional()
    .describe(
      'When `log.file` is larger than this, in megabytes, it is put aside as `.1` and a new one begins. Left out: never; SIGHUP and SIGUSR2 open it again after others did so.',
    ),
  keptFiles: integer(1, 1_000).prefault('5').describe('So many files that were put aside are kept.'),
} as const;
