import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runLoad } from '../../scripts/prove/record-load/load.ts';
import { withTapeFolder } from '../unit/tape/format/tapes.ts';

test('50 markets over a socket are on the tape to the last frame, and a flipped byte is found (npm run prove -- record-load is the long version)', () =>
  withTapeFolder(async (folder) => {
    const report = await runLoad({
      folder: join(folder, 'load'),
      markets: 50,
      framesPerSecond: 1_000,
      seconds: 1,
    });
    expect(report.framesSent).toBeGreaterThan(200);
    expect(report).toMatchObject({
      ...{ framesOnTape: report.framesSent, leftOut: 0 },
      ...{ isVerified: true, isFlippedByteFound: true },
    });
    expect(report.rows).toBeGreaterThan(50 * 40);
  }));
