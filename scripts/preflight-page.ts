/** The page of the checks before a live run, made from their list. */
import type { Check, LookedAtBy } from '../src/bot/live/checks/check.ts';
import { CHECKS } from '../src/bot/live/checks/list.ts';

const WHO: Readonly<Record<LookedAtBy, string>> = {
  list: 'before it opens anything',
  start: 'in its turn, by the same function',
  doctor: 'no: only the doctor looks',
};

/** Lines of the page, without its last one; `cell`: text for a table. */
export function preflightPage(cell: (text: string) => string): readonly string[] {
  return [
    '# Checks before a live run\n',
    `\`ballast doctor\` makes these ${CHECKS.length} checks in this order and does not stop at the first failure. \`ballast run --mode live\` makes the`,
    'same: what the doctor calls `fail` refuses the run, with the same id (`check: <id>` in the error) and the same words. What it',
    'calls `warn` is logged, and the run starts. What a check of the list cannot look at since no answer came refuses nothing: a',
    'start waits for what it needs, and places nothing before it has it. `--production` and `--accept-difference` are said to both.\n',
    '| Check | Looks at | A run is refused when | What to do | A run looks | Codes |',
    '|---|---|---|---|---|---|',
    ...CHECKS.map((check) => `| ${row(check).map(cell).join(' | ')} |`),
    '',
  ];
}

function row({ id, looksAt, refuses, remedy, by, codes }: Check): readonly string[] {
  return [
    `\`${id}\``,
    looksAt,
    refuses === '' ? 'never: it warns' : refuses,
    remedy,
    WHO[by],
    codes.map((code) => (code.endsWith('_') ? `\`${code}...\`` : `\`${code}\``)).join(' '),
  ];
}
