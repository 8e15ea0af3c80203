/** @module Makes a tape that is either whole or not there: a failure half-way leaves nothing. */
import { existsSync, rmSync } from 'node:fs';
import type { Manifest, TapeFolderOptions } from '../format/index.ts';
import { createTapeWriter, type TapeWriter, writingError } from '../format/index.ts';

/** Writes what `fill` writes and seals it. @throws what `fill` throws, ConfigError `TAPE_FILE_UNWRITABLE`, with the half-written folder gone. */
export function makeTape(options: TapeFolderOptions, fill: (writer: TapeWriter) => void): Manifest {
  const wasThere = existsSync(options.folder);
  const writer = createTapeWriter(options);
  try {
    fill(writer);
    return writer.close();
  } catch (thrown) {
    // A folder of another program keeps its content.
    if (!wasThere) rmSync(options.folder, { recursive: true, force: true });
    throw writingError(options.folder, thrown);
  }
}
