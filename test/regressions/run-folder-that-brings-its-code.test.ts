/**
 * Symptom: `replay` and `calibrate` ran whatever module the log of a run named. Its seals have no key: anybody can name
 * another one and seal the log again.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLineBlocks } from '../../src/core/index.ts';
import { ballast } from '../support/ballast-process.ts';

const RUN_LOG_FILE = 'log.jsonl';
const WHOLE = { wholeBytes: 0, blocks: 0, truncated: undefined };
const folder = mkdtempSync(join(tmpdir(), 'ballast-foreign-'));
const module = join(folder, 'own.ts');
const helper = join(folder, 'helper.ts');
const ran = join(folder, 'ran');
let run = '';

/** The same strategy, and a mark that it was loaded. */
const CODE = `import { mark } from './helper.ts';
import { defineStrategy, param } from 'ballast/strategy';
mark();
export default defineStrategy({ name: 'own', parameters: param.object({}), create: () => ({}) });
`;

beforeAll(async () => {
  writeFileSync(
    helper,
    `import { writeFileSync } from 'node:fs';\nexport const mark = () => writeFileSync('${ran}', '');\n`,
  );
  writeFileSync(module, CODE);
  const config = {
    environment: { name: 'sim' },
    markets: [{ symbol: 'BTC-USD' }],
    strategies: [{ name: 'own', module: './own.ts', markets: ['BTC-USD'] }],
    risk: { capital: '10000' },
    record: { folder: './runs' },
    journal: { folder: './journal' },
  };
  writeFileSync(join(folder, 'bot.yaml'), JSON.stringify(config));
  const env = { BALLAST_STATE_HOME: join(folder, 'state') };
  const { exitCode, stderr } = await ballast(['run', 'bot.yaml', '--duration', '2s'], { cwd: folder, env });
  expect(exitCode, stderr).toBe(0);
  run = join(folder, 'runs', readdirSync(join(folder, 'runs'))[0] ?? '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The run as somebody else may hand it over: its log names \`path\`, with this hash, and is sealed again. */
function forged(name: string, path: string, sha256: string | undefined): string {
  const copy = join(folder, name);
  mkdirSync(copy, { recursive: true });
  const packed = readFileSync(join(run, `${RUN_LOG_FILE}.zst`));
  const blocks = readLineBlocks((at, length) => packed.subarray(at, at + length), { ...WHOLE });
  const text = Array.from(blocks, (block) => block.text).join('');
  const [header = '', ...rest] = text.split('\n');
  const parsed = JSON.parse(header).header;
  parsed.config.text = parsed.config.text.replace('./own.ts', path);
  parsed.strategies[0].file = path;
  if (sha256 !== undefined) parsed.strategies[0].sha256 = sha256;
  const lines = [JSON.stringify({ header: parsed })];
  let [head, block] = ['', `${lines[0]}\n`];
  for (const line of rest.filter((one) => one !== '')) {
    const entry = JSON.parse(line);
    if ('seal' in entry) {
      head = createHash('sha256').update(head).update(block).digest('hex');
      lines.push(JSON.stringify({ ...entry, sha256: head }));
      block = '';
    } else {
      lines.push(line);
      block += `${line}\n`;
    }
  }
  writeFileSync(join(copy, RUN_LOG_FILE), `${lines.join('\n')}\n`);
  return copy;
}

async function ends(code: string, ...args: readonly string[]): Promise<void> {
  rmSync(ran, { force: true });
  const { exitCode, stderr } = await ballast(args, { cwd: folder });
  expect(stderr).toContain(code);
  expect(exitCode).toBe(77);
  expect(existsSync(ran)).toBe(false);
}

test('code that a run names does not run unasked, and is named', async () => {
  for (const command of ['replay', 'calibrate']) await ends('REPLAY_CODE_NOT_ASKED_FOR', command, run);
  await ends(helper, 'replay', run);
});

test('with --run-code it runs as it was recorded, and is named first', async () => {
  const { exitCode, stdout, stderr } = await ballast(['replay', run, '--run-code'], { cwd: folder });
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toContain('all equal');
  expect(stderr).toContain(`runs the code of ${module}`);
  expect(existsSync(ran)).toBe(true);
});

test('a configuration that is named on the command line brings its code', async () => {
  expect(await ballast(['replay', run, '--config', 'bot.yaml'], { cwd: folder })).toMatchObject({
    exitCode: 0,
  });
});

test('other code than the recorded one does not run, asked or not', async () => {
  const other = join(folder, 'other.ts');
  writeFileSync(other, `${CODE}// changed\n`);
  for (const asked of [[], ['--run-code']])
    for (const command of ['replay', 'calibrate'])
      await ends('REPLAY_CODE_CHANGED', command, forged('foreign', other, undefined), ...asked);
});

test('a module below the folder of the run never runs, by whatever path', async () => {
  const name = basename(mkdtempSync(join(folder, 'bringing-')));
  const copy = join(folder, name);
  writeFileSync(join(copy, 'own.ts'), CODE.replace('./helper.ts', '../helper.ts'));
  const [link, linked] = [join(folder, `${name}-link.ts`), join(folder, `${name}-linked`)];
  symlinkSync(join(copy, 'own.ts'), link);
  symlinkSync(copy, linked);
  for (const path of [join(copy, 'own.ts'), link, join(linked, 'own.ts')])
    await ends('REPLAY_CODE_IN_RUN', 'replay', forged(name, path, undefined), '--run-code');
  writeFileSync(join(folder, 'outer.ts'), CODE.replace('./helper.ts', `./${name}/own.ts`));
  await ends('REPLAY_CODE_IN_RUN', 'replay', forged(name, join(folder, 'outer.ts'), undefined), '--run-code');
});
