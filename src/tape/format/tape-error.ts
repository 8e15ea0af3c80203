/** @module The one shape of complaint about a tape: which file, where in it, what was expected, what to do. */
import { ProtocolError } from '../../core/index.ts';

/** The faults of a tape, by code. */
export type TapeFault =
  /** Not a tape, or not a file of one. */
  | 'TAPE_NOT_RECOGNIZED'
  /** Written by a later version. */
  | 'TAPE_VERSION_UNKNOWN'
  /** Bytes changed or are missing. */
  | 'TAPE_DAMAGED'
  /** The system does not let it be read. */
  | 'TAPE_UNREADABLE'
  /** A tape or file would overwrite another. */
  | 'TAPE_EXISTS';

interface Fault {
  readonly code: TapeFault;
  readonly remedy: string;
}

const FAULTS: Readonly<Record<TapeFault, Fault>> = {
  TAPE_NOT_RECOGNIZED: {
    code: 'TAPE_NOT_RECOGNIZED',
    remedy:
      'Name the folder of a tape (it holds manifest.json); third-party recordings come in with `ballast import`.',
  },
  TAPE_VERSION_UNKNOWN: {
    code: 'TAPE_VERSION_UNKNOWN',
    remedy: 'Read this tape with the version of ballast that wrote it, or a later one.',
  },
  TAPE_DAMAGED: {
    code: 'TAPE_DAMAGED',
    remedy:
      'Copy the tape again from its source; `ballast tape verify` lists everything that is wrong with it.',
  },
  TAPE_UNREADABLE: {
    code: 'TAPE_UNREADABLE',
    remedy: 'Allow the user that runs ballast to read the file and its folders.',
  },
  TAPE_EXISTS: {
    code: 'TAPE_EXISTS',
    remedy: 'Name one that does not exist yet; nothing is ever overwritten.',
  },
};

/** A complaint about `place`: a file of a tape, with the byte, batch or block where it is known. */
export function tapeError(name: TapeFault, place: string, message: string, cause?: unknown): ProtocolError {
  const fault = FAULTS[name];
  return new ProtocolError({
    code: fault.code,
    message: `${place}: ${message}`,
    remedy: fault.remedy,
    details: { place },
    cause,
  });
}
