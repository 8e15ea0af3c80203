/**
 * What the first pages tell a reader to type is typed here: every `sh` block of docs/getting-started.md and of the simulator's guide
 * is run, and what the pages show of files and outputs is held against the files and outputs themselves.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DenialCode } from '../../src/bot/risk/codes.ts';
import { freshSeed } from '../../src/core/index.ts';
import { BALLAST, ballast, ENVIRONMENT, type Ended, startBallast } from '../support/ballast-process.ts';
import { ROOT } from '../tidy/source.ts';

const run = promisify(execFile);
const page = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const START = page('docs/getting-started.md');
const SIMULATOR = page('docs/guides/simulator.md');

/** The fenced blocks of a language. */
function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, block = '']) => block,
  );
}

/** The lines to type of all `sh` blocks. */
function lines(text: string): string[] {
  return blocks(text, 'sh').flatMap((block) => block.trimEnd().split('\n'));
}

/** The last line of standard output as a document. */
function documentOf(ended: Pick<Ended, 'stdout'>): Record<string, unknown> {
  return JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;
}

const PROVEN = { openOrders: 0, unresolved: 0, reconciled: true, ledgerResidual: '0' };

describe('docs/getting-started.md', () => {
  let folder: string;
  const config = (): string => readFileSync(join(folder, 'one-level.yaml'), 'utf8');
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ballast-start-'));
    const [strategy = ''] = blocks(START, 'ts');
    const [yaml = ''] = blocks(START, 'yaml');
    writeFileSync(join(folder, 'one-level.ts'), strategy);
    writeFileSync(join(folder, 'one-level.yaml'), yaml);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('asks for nothing that is not tried here', () => {
    expect(lines(START)).toEqual([
      'npm ci && npm start',
      'npm start -- --duration 5s --json',
      'npx ballast config check one-level.yaml',
      'npx ballast run one-level.yaml --duration 5s',
      'npx ballast run configs/avellaneda-stoikov.yaml --duration 5s',
      'npx ballast run configs/two-strategies.yaml --duration 5s',
    ]);
  });

  test('npm start trades and proves it', async () => {
    const { stdout } = await run('npm', ['start', '--', '--duration', '2s', '--json'], {
      cwd: ROOT,
      env: ENVIRONMENT,
    });
    expect(documentOf({ stdout })).toMatchObject({ ...PROVEN, mode: 'demo', stopReason: 'time limit' });
  });

  test('the first strategy passes its check and is proven', async () => {
    const checked = await ballast(['config', 'check', 'one-level.yaml'], { cwd: folder });
    expect(checked).toMatchObject({ exitCode: 0, stderr: '' });
    let placed = 0;
    // A machine that is busy with other tests may not come to a quote within the span of the page.
    for (const span of ['6s', '30s']) {
      const ran = await ballast(['run', 'one-level.yaml', '--duration', span, '--json'], { cwd: folder });
      expect(ran.exitCode, ran.stderr).toBe(0);
      const report = documentOf(ran);
      expect(report).toMatchObject({ ...PROVEN, strategies: { mine: { state: 'stopped' } } });
      placed = Number(report['ordersPlaced']);
      if (placed > 0) break;
    }
    expect(placed).toBeGreaterThan(0);
  });

  test('its strategy is the one of the guide', () => {
    expect(blocks(START, 'ts')[0]).toBe(page('docs/guides/examples/first-strategy.ts'));
  });

  test('the errors it shows are the errors there are', async () => {
    const broken = config()
      .replace('capital: 10000', 'capital: 10k')
      .replace('maxSameSideFillsPer10s', 'maxSameSideFills');
    writeFileSync(join(folder, 'one-level.yaml'), broken);
    try {
      const ended = await ballast(['config', 'check', 'one-level.yaml'], { cwd: folder });
      expect(ended.exitCode).toBe(78);
      expect(blocks(START, 'text')).toContain(ended.stderr);
    } finally {
      writeFileSync(join(folder, 'one-level.yaml'), blocks(START, 'yaml')[0] ?? '');
    }
  });

  test('an order that is too large is denied with the code that is named, and nothing is placed', async () => {
    writeFileSync(join(folder, 'large.yaml'), config().replace('size: 0.001', 'size: 0.5'));
    const ended = await ballast(['run', 'large.yaml', '--duration', '2s', '--json'], { cwd: folder });
    expect(documentOf(ended)).toMatchObject({ ...PROVEN, ordersPlaced: 0, fills: 0 });
    const named: DenialCode = 'RISK_ORDER_NOTIONAL_ABOVE_LIMIT';
    expect(START).toContain(`no quotes (${named})`);
  });

  test.concurrent.each(['avellaneda-stoikov', 'two-strategies'])(
    'configs/%s.yaml runs and is proven',
    async (name) => {
      const ended = await ballast(['run', `configs/${name}.yaml`, '--duration', '2s', '--json']);
      expect(ended.exitCode, ended.stderr).toBe(0);
      expect(documentOf(ended)).toMatchObject(PROVEN);
    },
  );
});

describe('docs/guides/simulator.md', () => {
  interface FirstLine {
    readonly baseUrl: string;
    readonly wsUrl: string;
    readonly controlUrl: string;
    readonly accounts: readonly { readonly address: string; readonly privateKey: string }[];
  }
  let exchange: Awaited<ReturnType<typeof startBallast>>;
  let first: FirstLine;
  beforeAll(async () => {
    exchange = await startBallast(['sim', '--port', '0', '--seed', '7', '--json']);
    first = JSON.parse(exchange.firstLine) as FirstLine;
  });
  afterAll(async () => {
    await exchange.stop();
  });

  /** A line of the page with the addresses of this exchange, run by a shell. */
  async function type(line: string): Promise<string> {
    const command = line
      .replaceAll('http://127.0.0.1:8787', first.baseUrl)
      .replaceAll('ws://127.0.0.1:8787/v1/ws', first.wsUrl)
      // A name that no earlier try has taken.
      .replace('"name": "taker"', `"name": "taker-${freshSeed()}"`)
      .replaceAll('<address>', first.accounts[0]?.address ?? '')
      .replaceAll('<privateKey>', first.accounts[1]?.privateKey ?? '')
      .replace(/^node /, `${BALLAST[0]} `);
    const { stdout } = await run('sh', ['-c', command], { cwd: ROOT, env: ENVIRONMENT });
    return stdout;
  }
  const [begin = '', ...rest] = lines(SIMULATOR);

  test('starts an exchange whose first line is as shown', () => {
    expect(begin).toBe('npx ballast sim --port 8787 --seed 7 --json');
    const shown = JSON.parse(blocks(SIMULATOR, 'json')[0] ?? '') as FirstLine;
    expect(Object.keys(first)).toEqual(Object.keys(shown));
    expect(Object.keys(first.accounts[0] ?? {})).toEqual(Object.keys(shown.accounts[0] ?? {}));
  });

  test.each(rest.filter((line) => line.startsWith('curl ')))('%s', async (line) => {
    const answer = JSON.parse(await type(line)) as Record<string, unknown>;
    expect(answer).not.toHaveProperty('error');
  });

  test('the stream example prints a snapshot and updates', async () => {
    const line = rest.find((one) => one.includes('watch-book')) ?? '';
    const printed = (await type(line)).trimEnd().split('\n');
    expect(printed).toHaveLength(5);
    expect(printed[0]).toMatch(/^snapshot seq \d+: \d+\.\d \/ \d+\.\d$/);
    for (const one of printed.slice(1)) expect(one).toMatch(/^update seq \d+: /);
  });

  test('the write example places, proves and cancels, and prints what the page shows', async () => {
    const line = rest.find((one) => one.includes('place-order')) ?? '';
    const shape = (text: string): string =>
      text.replaceAll(/0x[0-9a-f]{40}/g, '0x…').replaceAll(/\d+(?:\.\d+)?/g, '#');
    const printed = await type(line);
    expect(shape(printed)).toBe(shape(blocks(SIMULATOR, 'text')[0] ?? ''));
    expect(printed).toContain('receipt of this request: executed');
  });

  test('exchanges with scenarios and snapshots start as the page says', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ballast-guide-'));
    const others = rest.filter((line) => line.startsWith('npx ballast sim '));
    expect(others).toHaveLength(3);
    try {
      for (const line of others) {
        const words = line
          .replace('npx ballast ', '')
          .replace('exchange.snapshot', join(folder, 'exchange.snapshot'));
        const ended = await ballast([...words.split(' '), '--port', '0', '--json', '--duration', '1s']);
        expect(ended.exitCode, ended.stderr).toBe(0);
        expect(JSON.parse(ended.stdout.split('\n')[0] ?? '')).toHaveProperty('controlUrl');
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('every line is tried, and shown code is code of the examples', () => {
    const tried = rest.filter((line) =>
      /^curl |^npx ballast sim |^node docs\/guides\/examples\/(?:watch-book|place-order)\.mjs /.test(line),
    );
    expect(tried).toEqual(rest);
    const examples = readdirSync(join(ROOT, 'docs/guides/examples')).map((name) =>
      page(`docs/guides/examples/${name}`),
    );
    const shown = blocks(SIMULATOR, 'js');
    expect(shown).toHaveLength(2);
    for (const block of shown) expect(examples.some((text) => text.includes(block))).toBe(true);
  });

  test('names every channel of the interface', () => {
    const channels = /^ {2}data:\n([\s\S]*?)^\S/m.exec(
      page('src/wire/protocol/openapi.yaml').split('x-channels:')[1] ?? '',
    )?.[1];
    const names = [...(channels ?? '').matchAll(/^ {4}(\w+):$/gm)].map((match) => match[1] ?? '');
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !SIMULATOR.includes(`\`${name}\``))).toEqual([]);
  });
});
