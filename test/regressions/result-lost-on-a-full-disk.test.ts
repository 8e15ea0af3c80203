/** Symptom: a document or text on standard output that met a full disk was lost with exit 0 and no word. */

/** Symptom: a document or text on standard output that met a full disk was lost with exit 0 and no word. */
import fs, { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sinon from 'sinon';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exitCodeOf } from '../../src/cli/terminal/exit-codes.ts';
import { writeDocument, writeLine } from '../../src/cli/terminal/output.ts';
import { writing } from '../../src/cli/terminal/writing.ts';
import { shellEnd } from '../support/ballast-process.ts';

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: on purpose`), { code, syscall: 'write' });
}

/** Gives the bytes that come through, of writes that end as they are told: a count of bytes, or a code. */
function outputOf(...ends: readonly (number | string)[]): () => string {
  const chunks: Buffer[] = [];
  const left = ends.values();
  const stub = sinon.stub(fs, 'writeSync').callsFake((_file, data) => {
    const bytes = Buffer.from(data as unknown as Uint8Array);
    const end = left.next().value ?? bytes.length;
    if (typeof end === 'string') throw failure(end);
    chunks.push(bytes.subarray(0, end));
    return Math.min(end, bytes.length);
  });
  onTestFinished(() => stub.restore());
  return () => Buffer.concat(chunks).toString();
}

function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}

describe('standard output', () => {
  test('is written whole in as many parts as it takes', () => {
    const text = outputOf(3, 'EAGAIN', 1, 'EAGAIN', 'EAGAIN');
    writeDocument({ euro: '€', large: 2n ** 70n });
    expect(text()).toBe('{"euro":"€","large":"1180591620717411303424"}\n');
  });

  test.each(['ENOSPC', 'EIO', 'EBADF', 'EDQUOT'])(
    'that ends with %s is an error with exit code 1',
    (code) => {
      outputOf(4, code);
      const thrown = thrownBy(() => writeLine('a line'));
      expect(thrown).toMatchObject({ code: 'OUTPUT_UNWRITABLE' });
      expect(exitCodeOf(thrown)).toBe(1);
    },
  );

  test('whose reader left is none', () => {
    const text = outputOf(2, 'EPIPE');
    writeLine('a line');
    expect(text()).toBe('a ');
  });

  test.skipIf(!existsSync('/dev/full'))('of help, version and errors is looked after too', async () => {
    const ends = ['--version', '--help', 'bars --help'].map((args) =>
      shellEnd(`"$0" "$1" ${args} > /dev/full`),
    );
    for (const { exitCode, stderr } of await Promise.all(ends)) {
      expect(exitCode).toBe(1);
      expect(stderr).toContain('OUTPUT_UNWRITABLE');
    }
    // Where nobody can be told, the exit code still is the one of what happened.
    expect(await shellEnd('"$0" "$1" config check nowhere.yaml 2> /dev/full')).toMatchObject({
      exitCode: 78,
    });
  });
});

test.each([
  ['ENOSPC', 1],
  ['EFBIG', 1],
  ['ENOENT', 64],
  ['EACCES', 64],
])('a file that ends with %s is exit %s', (code, exitCode) => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-lost-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const thrown = thrownBy(() =>
    writing(join(folder, 'page.html'), () => {
      throw failure(code);
    }),
  );
  expect(exitCodeOf(thrown)).toBe(exitCode);
});
