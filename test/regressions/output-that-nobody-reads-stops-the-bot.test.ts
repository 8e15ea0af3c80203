/**
 * Symptom: a full disk under the log ended the bot with exit 7 and its orders in the book, a terminal that was stopped or a
 * pipe that nobody read froze it, and a device was taken for a log file.
 */
import { spawn } from 'node:child_process';
import fs, { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sinon from 'sinon';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exitCodeOf } from '../../src/cli/terminal/exit-codes.ts';
import { writeLine } from '../../src/cli/terminal/output.ts';
import { renderStatus } from '../../src/cli/terminal/status-line.ts';
import { LossyOutput, messageOf, stackOf } from '../../src/core/index.ts';
import { createLog } from '../../src/core/telemetry/index.ts';
import { ROOT } from '../support/processes.ts';

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: on purpose`), { code, syscall: 'write' });
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'ballast-unread-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A disk, pipe or terminal that takes so many bytes, or fails as it is told. */
function output(describeLoss?: (count: number) => string) {
  const state = { fault: undefined as string | undefined, room: Number.POSITIVE_INFINITY, text: '' };
  const stub = sinon.stub(fs, 'writeSync').callsFake((_file, data) => {
    const bytes = Buffer.from(data as unknown as Uint8Array);
    const taken = Math.min(bytes.length, state.room);
    if (state.fault !== undefined && taken === 0) throw failure(state.fault);
    state.room -= taken;
    state.text += bytes.subarray(0, taken).toString();
    return taken;
  });
  onTestFinished(() => stub.restore());
  return { state, lossy: new LossyOutput(77, describeLoss) };
}

describe('an output', () => {
  test.each(['ENOSPC', 'EIO', 'EPIPE', 'EDQUOT', 'EBADF'])(
    'that answers %s loses lines and says so afterwards',
    (fault) => {
      const { state, lossy } = output((count) => `${count} lost\n`);
      lossy.write('first\n');
      Object.assign(state, { fault, room: 3 });
      for (const line of ['second\n', 'third\n']) lossy.write(line);
      expect(lossy.lost).toBe(2);
      Object.assign(state, { fault: undefined, room: Number.POSITIVE_INFINITY });
      lossy.write('fourth\n');
      // What was torn is a line of its own.
      expect(state.text).toBe('first\nsec\n2 lost\nfourth\n');
    },
  );

  test('that nobody reads keeps some lines in their order, and loses the others', () => {
    const { state, lossy } = output((count) => `${count} lost\n`);
    Object.assign(state, { fault: 'EAGAIN', room: 0 });
    const line = `${'x'.repeat(1_023)}\n`;
    for (let at = 0; at < 300; at++) lossy.write(line);
    expect(lossy.isBehind).toBe(true);
    expect(lossy.lost).toBe(300 - 256);
    Object.assign(state, { fault: undefined, room: Number.POSITIVE_INFINITY });
    lossy.write('last\n');
    expect(state.text).toBe(`${line.repeat(256)}44 lost\nlast\n`);
  });
});

test('a log goes on where its disk has room again', () => {
  const file = join(folder(), 'bot.log');
  const log = createLog({ level: 'info', file, isPretty: false });
  log.info('one');
  const stub = sinon.stub(fs, 'writeSync').throws(failure('ENOSPC'));
  log.error('two', { error: new Error('lost') });
  stub.restore();
  expect(log.lost()).toBe(1);
  log.info('three');
  const messages = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
  expect(messages).toEqual(['one', '1 lines of the log were lost: they could not be written', 'three']);
});

test.skipIf(process.platform === 'win32').each(['/dev/full', '/dev/null', '.'])(
  '%s is no file for a log',
  (file) => {
    let thrown: unknown;
    try {
      createLog({ level: 'info', file, isPretty: false });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'CONFIG_LOG_FILE_UNUSABLE' });
    expect(exitCodeOf(thrown)).toBe(78);
  },
);

test('lost lines stand on the status line', () => {
  const status = {
    ...{ elapsedMs: 0, state: 'quoting', reasons: [], markets: [], pnl: '0', fills: 0, orders: 0 },
    ...{ unresolved: 0, switchLeftS: 1, failing: [], halts: [] },
  };
  expect(renderStatus({ ...status, lostLines: 3 })).toContain('LOST 3 LINES OF THE LOG');
  expect(renderStatus(status)).not.toContain('LOST');
});

test('a result that nobody reads is given up after a while', () => {
  const { state } = output();
  Object.assign(state, { fault: 'EAGAIN', room: 2 });
  expect(writeLine('a line', 30)).toBe(false);
  expect(state.text).toBe('a ');
});

test('a process whose pipes nobody reads comes to its end', async () => {
  const script = `
    const { createLog } = await import('./src/core/telemetry/index.ts');
    const { neverWaitForOutput } = await import('./src/cli/terminal/output.ts');
    neverWaitForOutput();
    const log = createLog({ level: 'info', isPretty: false });
    for (let at = 0; at < 5_000; at++) {
      log.info('x'.repeat(1_000));
      console.log('y'.repeat(1_000));
      console.error('z'.repeat(1_000));
    }
    process.exit(log.lost() > 0 ? 0 : 1);`;
  const child = spawn(
    process.execPath,
    [
      '--conditions=ballast-source',
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      script,
    ],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const code = await new Promise((resolve) => child.once('exit', resolve));
  child.stdout.destroy();
  child.stderr.destroy();
  expect(code).toBe(0);
});

test('what is thrown by code of others may throw when it is looked at', () => {
  const hostile = new Error('x');
  for (const name of ['message', 'stack', 'name'])
    Object.defineProperty(hostile, name, {
      get() {
        throw hostile;
      },
    });
  const log = createLog({ level: 'info', file: join(folder(), 'a.log'), isPretty: false });
  log.error('uncaught error', { error: hostile });
  expect(messageOf(hostile)).toBe('an error that cannot be read');
  expect(stackOf(hostile)).toBeUndefined();
});
