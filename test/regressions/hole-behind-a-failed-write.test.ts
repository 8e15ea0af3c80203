/**
 * Symptom: when the disk took only a part of a batch of recorded frames, that part was cut off, but the next batch was
 * written where it had ended: zeros stood between the two, and the file could not be read.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const MODULE = pathToFileURL(join(import.meta.dirname, '../../src/tape/recorder/raw-segment.ts')).href;
const KIB = 1_024;

/** Appends 40 KiB, 40 more, of which the system takes 24, and 8 more. */
const SCRIPT = `
process.on('SIGXFSZ', () => undefined);
const { RawSegment } = await import(${JSON.stringify(MODULE)});
const segment = await RawSegment.begin(process.argv[1], 'raw', 0);
const append = (byte, kib) =>
  segment.append(Buffer.alloc(kib * 1024, byte), []).then(() => 'written', (error) => error.code);
console.log(await append(1, 40), await append(2, 40), await append(3, 8));
`;

test('what is appended after a write that failed half-way follows what was written before it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-raw-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // In blocks of 512 bytes: no file becomes larger than 64 KiB.
  const limited = ['-c', 'ulimit -f 128; exec "$0" "$@"', process.execPath];
  const told = execFileSync('sh', [...limited, '--input-type=module', '-e', SCRIPT, folder], {
    encoding: 'utf8',
    env: { ...process.env, NODE_COMPILE_CACHE: undefined },
  });
  expect(told.trim()).toBe('written EFBIG written');
  const bytes = readFileSync(join(folder, 'raw'));
  expect(bytes.length).toBe(48 * KIB);
  expect([bytes[0], bytes[40 * KIB - 1], bytes[40 * KIB], bytes.at(-1)]).toEqual([1, 1, 3, 3]);
});
