/**
 * Writes docs/reference/interface-rules.md: every rule with the tests that cite its id and what is still open. With `--check`
 * it writes nothing and fails when the page is not what it would write.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHECKS, sectionOf } from '../src/conformance/index.ts';
import { INTERFACE_RULES, OBLIGATIONS, type Rule } from '../test/contract/rules.ts';
import { WATCHED } from '../test/contract/watched.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = join(root, 'docs', 'reference', 'interface-rules.md');

/** Test files by the ids they cite. */
function citations(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const folder = join(root, 'test');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.test.ts')) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    for (const id of idsIn(text))
      found.set(id, [...(found.get(id) ?? []), `test/${name.replaceAll('\\', '/')}`]);
  }
  return found;
}

/** Checks of the conformance suite by the contract ids that their rules name. */
const CHECKS_OF = Map.groupBy(CHECKS, ({ rule }) => /\(([A-Z0-9-]+)\)$/.exec(rule)?.[1] ?? '');

/** The sections of checks of a rule, with how many there are: `GW-PAGES (3)`. */
function checksOf(id: string): string {
  const sections = Map.groupBy(CHECKS_OF.get(id) ?? [], (check) => sectionOf(check.id));
  return [...sections].map(([section, checks]) => `${section} (${checks.length})`).join(', ');
}

/** The suite: every check with its rule and what it needs. */
function suite(): string {
  const rows = CHECKS.map(({ id, rule, needs }) => `| ${id} | ${rule} | ${needs} |`);
  return ['| Check | Rule | Needs |', '|---|---|---|', ...rows].join('\n');
}

const ORACLES = 'test/simulation/oracles';

/** Oracle files by the invariants that they say they check. */
function oracles(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of readdirSync(join(root, ORACLES)).sort()) {
    if (!name.endsWith('.ts')) continue;
    const ids = /ids: \[([^\]]*)\]/.exec(readFileSync(join(root, ORACLES, name), 'utf8'))?.[1] ?? '';
    for (const [id] of ids.matchAll(/I[0-9]+/g)) found.set(id, [...(found.get(id) ?? []), name]);
  }
  return found;
}

/** What watches an obligation in the swarm: each invariant with links to its oracles. */
function watchers(id: string, files: ReadonlyMap<string, readonly string[]>): string {
  const { by = [], not, test } = WATCHED[id] ?? {};
  if (by.length === 0)
    return not === undefined || test === undefined
      ? 'nothing yet'
      : `none: ${not}; ${linkTo(test)} checks it instead`;
  return by
    .map((invariant) => {
      const links = (files.get(`I${invariant}`) ?? []).map(
        (name) => `[${name.replace(/\.ts$/, '')}](../../${ORACLES}/${name})`,
      );
      return `I${invariant} ${links.length === 0 ? '(no oracle)' : links.join(', ')}`;
    })
    .join('; ');
}

/** Every id a text cites; ranges like `O24-O26` and `O69 to O71` count for each id in them. */
function idsIn(text: string): Set<string> {
  const ids = new Set([...text.matchAll(/\bO[0-9]{1,3}\b|\bGW-[A-Z0-9-]+\b/g)].map((match) => match[0]));
  for (const match of text.matchAll(/\bO([0-9]{1,3})\s*(?:-|–|to)\s*O([0-9]{1,3})\b/g))
    for (let n = Number(match[1]); n <= Number(match[2]) && n - Number(match[1]) < 40; n++) ids.add(`O${n}`);
  return ids;
}

/** Tests of the contract first, then those that join most of the house. */
const KINDS = ['contract', 'integration', 'process', 'property', 'vectors', 'unit'];
const TESTS_MAX = 4;

/** A link that says what kind of test it is: `contract/nonces`, `unit/bot/execution/lane`. */
function linkTo(file: string): string {
  return `[${file.replace(/^test\//, '').replace(/\.test\.ts$/, '')}](../../${file})`;
}

function placeOf(file: string): number {
  const at = KINDS.indexOf(file.split('/')[1] ?? '');
  return at < 0 ? KINDS.length : at;
}

function table(rules: readonly Rule[], { cited, watched }: Evidence): string {
  const rows = rules.map((rule) => {
    const files = [...(cited.get(rule.id) ?? [])].sort((a, b) => placeOf(a) - placeOf(b));
    const tests = files.slice(0, TESTS_MAX).map(linkTo);
    const more = files.length > TESTS_MAX ? ` and ${files.length - TESTS_MAX} more` : '';
    const open = rule.open ?? (files.length === 0 ? 'no test cites it yet' : '');
    const oracle = watched === undefined ? '' : ` ${watchers(rule.id, watched)} |`;
    return `| ${rule.id} | ${rule.words} | ${tests.join(', ')}${more} |${oracle} ${checksOf(rule.id)} | ${open} |`;
  });
  const [head, line] = watched === undefined ? ['', ''] : [' Oracle |', '---|'];
  return [`| Id | Rule | Tests |${head} Checks | Open |`, `|---|---|---|${line}---|---|`, ...rows].join('\n');
}

/** What a table is made with; `watched` for obligations alone. */
interface Evidence {
  readonly cited: ReadonlyMap<string, readonly string[]>;
  readonly watched?: ReadonlyMap<string, readonly string[]>;
}

/** The whole page. */
export function contractPage(): string {
  const cited = citations();
  const all = [...OBLIGATIONS, ...INTERFACE_RULES].flatMap(([, rules]) => rules);
  const open = all.filter((rule) => rule.open !== undefined || !cited.has(rule.id)).map((rule) => rule.id);
  const watched = oracles();
  const unwatched = OBLIGATIONS.flatMap(([, rules]) => rules).filter(
    ({ id }) => (WATCHED[id]?.by ?? []).length === 0,
  );
  const section =
    (evidence: Evidence) =>
    ([title, rules]: readonly [string, readonly Rule[]]): string =>
      `### ${title}\n\n${table(rules, evidence)}\n`;
  return [
    '# Interface rules and their tests\n',
    'The rules that a client of the gateway must keep, and the rules of the interface itself. Generated by',
    '`node scripts/interface-rules.ts`; the rules are in [test/contract/rules.ts](../../test/contract/rules.ts). *Tests* are',
    'those that cite the id, *Checks* those of the conformance suite. An open rule says what is missing.\n',
    open.length === 0
      ? `${all.length} rules, all of them kept and tested.\n`
      : `${all.length} rules, ${all.length - open.length} of them kept and tested, ${open.length} open: ${open.join(', ')}.\n`,
    '## Obligations of the client\n',
    'An obligation is a rule that a client of the gateway must keep. Comments and test titles cite it by number, such as O27.',
    '*Oracle*: the invariants that check an obligation at the exchange in each run of the swarm (the simulation with injected',
    `faults), and their files. Without an oracle: ${unwatched.map(({ id }) => id).join(', ')}.\n`,
    ...OBLIGATIONS.map(section({ cited, watched })),
    '## Rules of the interface\n',
    ...INTERFACE_RULES.map(section({ cited })),
    '## Checks of the conformance suite\n',
    `${CHECKS.length} checks compare any gateway with the rules: \`ballast conformance\`, [guide](../guides/conformance.md).`,
    'In brackets is the rule that a check belongs to. A check needs only public access, an account with keys, or the control API.\n',
    `${suite()}\n`,
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = contractPage();
  if (process.argv.includes('--check')) {
    const isSame = readFileSync(page, 'utf8') === text;
    process.stdout.write(
      isSame
        ? 'docs/reference/interface-rules.md is up to date\n'
        : 'docs/reference/interface-rules.md is out of date: node scripts/interface-rules.ts\n',
    );
    process.exit(isSame ? 0 : 1);
  }
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, text);
}
