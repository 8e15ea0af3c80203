/** @module The error for a recording of another format than the one that was named. */
import { ProtocolError } from '../../core/index.ts';
import { importLine, type RecordingFormat } from '../format/index.ts';
import type { Place } from './location.ts';

/** What was found instead. */
export interface OtherFormat {
  readonly expected: string;
  readonly found: string;
  /** The format that reads it. */
  readonly format: RecordingFormat;
}

/** Names file, line, what was found, and the line that imports it. */
export function otherFormat({ file, line }: Place, { expected, found, format }: OtherFormat): ProtocolError {
  return new ProtocolError({
    code: 'TAPE_FORMAT_MISTAKEN',
    message: `expected ${expected} at ${file}:${line}, got ${found}`,
    remedy: `Import it in its own format: ${importLine(format, file)}`,
    details: { file, line, format },
  });
}
