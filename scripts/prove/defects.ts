/**
 * Judges the wrong exchanges of test/defects: the check that each names must fail there, name its rule, and pass at the
 * exchange as it is. Two processes at a time.
 *
 * Usage: npm run prove -- defects [--only id,id] [--json]
 */
import { jsonOption } from '../../src/cli/terminal/options.ts';
import { DEFECTS } from '../../test/defects/index.ts';
import { judge } from '../../test/defects/judge.ts';
import { readOptions, someOf } from '../options.ts';

const WORKERS = 2;

if (import.meta.main) {
  const ids = DEFECTS.map(({ id }) => id);
  const { only, json } = readOptions({ only: someOf('Only these', ids), json: jsonOption });
  const chosen = DEFECTS.filter(({ id }) => only.includes(id));
  const beganAtMs = performance.now();
  const verdicts = await judge(chosen, {
    workers: WORKERS,
    say: ({ id, check, what, isCaught, detail }) => {
      const line = `${isCaught ? 'caught ' : 'MISSED '} ${id} [${check}] ${what}\n    ${detail.slice(0, 300)}\n`;
      (json ? process.stderr : process.stdout).write(line);
    },
  });
  const missed = verdicts.filter(({ isCaught }) => !isCaught).map(({ id }) => id);
  const seconds = Math.round((performance.now() - beganAtMs) / 1000);
  const [defects, caught] = [verdicts.length, verdicts.length - missed.length];
  process.stdout.write(
    json
      ? `${JSON.stringify({ defects, caught, missed, seconds, catches: verdicts.map(({ id, check, detail }) => ({ id, check, detail })) })}\n`
      : `${caught} of ${defects} wrong exchanges caught${missed.length === 0 ? '' : `; missed: ${missed.join(', ')}`}\n`,
  );
  process.exitCode = missed.length === 0 ? 0 : 1;
}
