/** @module Where the door of a run is, and its token: a file in the folder of the run that only its owner can read. */
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BotError,
  formatJson,
  isRecord,
  makeFolder,
  messageOf,
  PRIVATE_FOLDER,
  parseJson,
  ReadFault,
  readRegularFile,
  secrets,
  secureBytes,
  toHex,
} from '../../core/index.ts';

/** A door and its key. */
export interface Control {
  readonly runId: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: string;
}

/** Whose door it is: `control.json` is that of the run, `guardian.json` that of the process which outlives it. */
export type DoorOwner = 'control' | 'guardian';

const FILE_BYTES_MAX = 4_096;

/** A new token, which no log and no output shows from now on. */
export function newToken(): string {
  const token = toHex(secureBytes(32)).slice(2);
  secrets.add(token);
  return token;
}

/** Writes the file, whole or not at all. @throws what the file system answers. */
export function writeControl(folder: string, owner: DoorOwner, control: Control): void {
  makeFolder(folder, PRIVATE_FOLDER);
  const file = controlFile(folder, owner);
  writeFileSync(`${file}.new`, `${formatJson(control)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Removes the file, if it is there, and the folder of a run that keeps nothing else. */
export function removeControl(folder: string, owner: DoorOwner): void {
  rmSync(controlFile(folder, owner), { force: true });
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

/** Reads it; `undefined`: there is none. @throws BotError `OPERATOR_CONTROL_UNREADABLE`. */
export function readControl(folder: string, owner: DoorOwner): Control | undefined {
  const file = controlFile(folder, owner);
  try {
    const read: unknown = parseJson(readRegularFile(file, FILE_BYTES_MAX));
    if (isRecord(read)) {
      const { runId, baseUrl, token } = read;
      if (typeof runId === 'string' && isLoopback(baseUrl) && typeof token === 'string') {
        secrets.add(token);
        return { runId, baseUrl, token };
      }
    }
    throw new ReadFault('it holds something else');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new BotError({
      code: 'OPERATOR_CONTROL_UNREADABLE',
      message: `expected address and token of a run in ${file}, got ${messageOf(cause)}`,
      remedy: 'Run the command as the user who started the run.',
      cause,
    });
  }
}

/** A token is sent to no other machine, whatever a file says. */
function isLoopback(url: unknown): url is string {
  return typeof url === 'string' && /^http:\/\/127\.0\.0\.1:[0-9]{1,5}$/.test(url);
}

function controlFile(folder: string, owner: DoorOwner): string {
  return join(folder, `${owner}.json`);
}
