/**
 * Records 50 markets at 5,000 frames a second for a minute over a loopback socket, the whole way of a run: socket,
 * decoding, rows, raw blocks. Every frame the server sent must be on the tape, `verify` must find
 * nothing, and must find a flipped byte. Exit code 1 when not.
 *
 * Usage: npm run prove -- record-load [--markets 50] [--rate 5000] [--seconds 60] [--json]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonOption } from '../../src/cli/terminal/options.ts';
import { readOptions, whole } from '../options.ts';
import { runLoad } from './record-load/load.ts';

const values = readOptions({
  markets: whole('How many', { min: 1, otherwise: 50 }),
  rate: whole('Frames a second, all markets together', { min: 1, otherwise: 5_000 }),
  seconds: whole('How long', { min: 1, otherwise: 60 }),
  json: jsonOption,
});

const parent = mkdtempSync(join(tmpdir(), 'ballast-record-load-'));
try {
  const report = await runLoad({
    folder: join(parent, 'tape'),
    markets: values.markets,
    framesPerSecond: values.rate,
    seconds: values.seconds,
  });
  const holds =
    report.framesOnTape === report.framesSent &&
    report.leftOut === 0 &&
    report.isVerified &&
    report.isFlippedByteFound;
  if (values.json) process.stdout.write(`${JSON.stringify({ ...report, holds })}\n`);
  else {
    for (const [name, value] of Object.entries({ ...report, holds }))
      process.stdout.write(`${name.padEnd(20)} ${value}\n`);
  }
  process.exitCode = holds ? 0 : 1;
} finally {
  rmSync(parent, { recursive: true, force: true });
}
