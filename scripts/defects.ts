/**
 * Judges the wrong exchanges of test/defects: the check that each names must fail there, name its rule, and pass at the
 * exchange as it is. Two processes at a time.
 *
 * Usage: node scripts/defects.ts [--only id,id] [--json]
 */
import { parseArgs } from 'node:util';
import { DEFECTS } from '../test/defects/index.ts';
import { judge } from '../test/defects/judge.ts';

const WORKERS = 2;

if (import.meta.main) {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const only = values.only?.split(',');
  const chosen = DEFECTS.filter(({ id }) => only === undefined || only.includes(id));
  const unknown = only?.filter((id) => !chosen.some((defect) => defect.id === id)) ?? [];
  if (unknown.length > 0) throw new Error(`expected ids of defects, was ${unknown.join(', ')}`);
  const beganAtMs = performance.now();
  const verdicts = await judge(chosen, {
    workers: WORKERS,
    say: ({ id, check, what, isCaught, detail }) => {
      const line = `${isCaught ? 'caught ' : 'MISSED '} ${id} [${check}] ${what}\n    ${detail.slice(0, 300)}\n`;
      (values.json ? process.stderr : process.stdout).write(line);
    },
  });
  const missed = verdicts.filter(({ isCaught }) => !isCaught).map(({ id }) => id);
  const seconds = Math.round((performance.now() - beganAtMs) / 1000);
  const [defects, caught] = [verdicts.length, verdicts.length - missed.length];
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ defects, caught, missed, seconds, catches: verdicts.map(({ id, check, detail }) => ({ id, check, detail })) })}\n`
      : `${caught} of ${defects} wrong exchanges caught${missed.length === 0 ? '' : `; missed: ${missed.join(', ')}`}\n`,
  );
  process.exitCode = missed.length === 0 ? 0 : 1;
}
