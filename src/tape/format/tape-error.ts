/** @module The one shape of complaint about a tape: which file, where in it, what was expected, what to do. */
import { ProtocolError } from '../../core/index.ts';

/** The faults of a tape, by code. */
export type TapeFault =
  /** Not a tape, or not a file of one. */
  | 'TAPE_FOREIGN'
  /** Written by a later version. */
  | 'TAPE_VERSION_UNKNOWN'
  /** Bytes changed or are missing. */
  | 'TAPE_DAMAGED'
  /** A tape would be written over something. */
  | 'TAPE_EXISTS';

const REMEDIES: Readonly<Record<TapeFault, string>> = {
  TAPE_FOREIGN:
    'Name the folder of a tape (it holds manifest.json); foreign recordings come in with `ballast import`.',
  TAPE_VERSION_UNKNOWN: 'Read this tape with the version of ballast that wrote it, or a later one.',
  TAPE_DAMAGED:
    'Copy the tape again from where it came; `ballast tape verify` names all that is wrong with it.',
  TAPE_EXISTS: 'Name a folder that is not there yet; a tape is never written over.',
};

/** A complaint about `place`: a file of a tape, with the byte, batch or block where it is known. */
export function tapeError(fault: TapeFault, place: string, message: string, cause?: unknown): ProtocolError {
  return new ProtocolError({
    code: fault,
    message: `${place}: ${message}`,
    remedy: REMEDIES[fault],
    details: { place },
    cause,
  });
}
