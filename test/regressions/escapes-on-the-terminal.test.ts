/**
 * Symptom: control characters in a name of a market, an error of a gateway or a line of the log cleared the operator's screen
 * and set its title.
 */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type renderStatus, showStatus } from '../../src/cli/terminal/status-line.ts';
import { parseConfig } from '../../src/config/index.ts';
import { messageOf, SystemClock } from '../../src/core/index.ts';
import { ballast } from '../support/ballast-process.ts';

const EVIL = 'A\u001b[2J\u001b]0;OWNED\u0007\u009b31m\u202eB\u007f';
const STEERING = /(?![\n\t])\p{Cc}|\u202e/u;

test('the error of a gateway', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { code: EVIL, message: EVIL } }).replaceAll('\\u001b', '\u001b'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const { stdout, stderr } = await ballast([
    'api',
    'get',
    '/v1/markets',
    '--base-url',
    `http://127.0.0.1:${port}`,
  ]);
  expect(`${stdout}${stderr}`).toContain('body: ');
  expect(`${stdout}${stderr}`).not.toMatch(STEERING);
});

test('an argument that is repeated', async () => {
  const { stderr } = await ballast(['config', 'check', `${EVIL}.yaml`]);
  expect(stderr).toContain('A\\u001b[2J');
  expect(stderr).not.toMatch(STEERING);
});

test('a finding', () => {
  let said = '';
  try {
    parseConfig(
      `"${EVIL.replaceAll('\u001b', '\\e').replaceAll('\u0007', '\\a').replace('\u007f', '')}": x\n`,
      '/a.yaml',
    );
  } catch (thrown) {
    said = messageOf(thrown);
  }
  expect(said).toContain('\\u202e');
  expect(said).not.toMatch(STEERING);
});

test('the status line', () => {
  let written = '';
  const status: Parameters<typeof renderStatus>[0] = {
    elapsedMs: 0,
    state: 'quoting',
    markets: [{ symbol: EVIL, position: '0', bid: '1', ask: '2' }],
    pnl: '0',
    fills: 0,
    orders: 0,
    switchLeftS: 1,
    failing: [],
    unresolved: 0,
    halts: [],
    reasons: [],
  } as never;
  const output = {
    isTerminal: true,
    isColored: false,
    columns: () => 200,
    write: (text: string) => {
      written += text;
    },
  };
  showStatus(() => status, new SystemClock(), output).stop();
  expect(written).toContain('A\\u001b[2J');
  expect(written.replaceAll('\r\u001b[2K', '')).not.toMatch(STEERING);
});

test.each([true, false])('a line of the log, pretty: %s', (isPretty) => {
  const script = `
    const { createLog } = await import(${JSON.stringify(join(process.cwd(), 'src/core/telemetry/index.ts'))});
    const evil = ${JSON.stringify(EVIL)};
    createLog({ level: 'info', isPretty: ${isPretty} }).warn(evil, { a: evil, deep: { b: [evil] }, error: new Error(evil) });`;
  const { stderr } = spawnSync(
    process.execPath,
    [
      '--conditions=ballast-source',
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      script,
    ],
    { encoding: 'utf8', env: { NO_COLOR: '1' } },
  );
  expect(stderr).toContain('OWNED');
  expect(stderr).not.toMatch(STEERING);
});
