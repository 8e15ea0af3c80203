/**
 * @module
 * When a file that is appended to is put aside, and another one begins: by its size, or since another process did so.
 */
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';

/** How a file is turned. */
export interface TurnSettings {
  /** The file is put aside when it is larger than this; absent or `undefined`: never. */
  readonly maxBytes?: number | undefined;
  /** So many files that were put aside are kept. */
  readonly keptFiles?: number;
  /** True: another process puts the file aside, and this one goes on in the new one. */
  readonly isFollower?: boolean;
}

/** Says after each text whether the file must be opened again by its name. */
interface Turn {
  isDue(text: string): boolean;
}

/** A follower looks so often whether its file was put aside, in lines. */
const LOOK_LINES = 10;

/** The turns of `file`; `undefined`: there are none. */
export function turnOf(
  file: string,
  { maxBytes, keptFiles = 5, isFollower = false }: TurnSettings,
): Turn | undefined {
  if (maxBytes === undefined) return undefined;
  const found = statSync(file, { throwIfNoEntry: false });
  if (isFollower) return followerOf(file, found?.ino);
  let bytes = found?.size ?? 0;
  return {
    isDue: (text) => {
      bytes += Buffer.byteLength(text);
      if (bytes <= maxBytes) return false;
      bytes = 0;
      return putAside(file, keptFiles);
    },
  };
}

function followerOf(file: string, opened: number | undefined): Turn {
  let ino = opened;
  let lines = 0;
  return {
    isDue: () => {
      lines++;
      if (lines % LOOK_LINES !== 1) return false;
      const now = statSync(file, { throwIfNoEntry: false })?.ino;
      if (now === undefined || now === ino) return false;
      ino = now;
      return true;
    },
  };
}

/** `log` becomes `log.1`, `log.1` becomes `log.2`; the last is deleted. False: the disk did not let it. */
function putAside(file: string, keptFiles: number): boolean {
  try {
    rmSync(`${file}.${keptFiles}`, { force: true });
    for (let n = keptFiles - 1; n >= 1; n--)
      if (existsSync(`${file}.${n}`)) renameSync(`${file}.${n}`, `${file}.${n + 1}`);
    renameSync(file, `${file}.1`);
    return true;
  } catch {
    // The file goes on as it is; the next turn comes after as many bytes.
    return false;
  }
}
