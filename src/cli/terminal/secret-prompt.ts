/**
 * @module
 * Asks for a secret: from an open file descriptor, or on a terminal without echo.
 */
import { readSync } from 'node:fs';
import { ConfigError, messageOf } from '../../core/index.ts';

/** The longest secret: a keystore has less than a thousand bytes. */
const SECRET_BYTES_MAX = 16_384;

const ENTER = new Set(['\r', '\n', '\u0004']);
const INTERRUPT = '\u0003';
const BACKSPACE = new Set(['\u007f', '\b']);

/** The secret, without the blanks around it. @throws ConfigError when there is neither descriptor nor terminal. */
export async function askSecret(prompt: string, descriptor: number | undefined): Promise<string> {
  if (descriptor !== undefined) return readOpenFile(descriptor);
  const { stdin, stderr } = process;
  if (!stdin.isTTY) {
    throw new ConfigError({
      code: 'CONFIG_SECRET_UNREADABLE',
      message: 'expected a terminal to ask for the main wallet key, got none',
      remedy: 'Run it in a terminal, or hand the key over: --key-fd 0 < file.',
    });
  }
  stderr.write(prompt);
  stdin.setRawMode(true);
  stdin.resume();
  try {
    return await readHidden(stdin);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

/** Reads to the end, which a device may not have. */
function readOpenFile(descriptor: number): string {
  const bytes = Buffer.alloc(SECRET_BYTES_MAX + 1);
  let length = 0;
  try {
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, null);
  } catch (cause) {
    throw unreadable(descriptor, messageOf(cause));
  }
  if (length > SECRET_BYTES_MAX) throw unreadable(descriptor, `it has more than ${SECRET_BYTES_MAX} bytes`);
  const secret = bytes.toString('utf8', 0, length).trim();
  bytes.fill(0);
  if (secret === '') throw unreadable(descriptor, 'nothing is in it');
  return secret;
}

function unreadable(descriptor: number, why: string): ConfigError {
  return new ConfigError({
    code: 'CONFIG_SECRET_UNREADABLE',
    message: `expected a key in the open file ${descriptor}, but ${why}`,
    remedy: 'Hand it over as an open file: --key-fd 3 3< file, or --key-fd 0 < file.',
  });
}

function readHidden(stdin: NodeJS.ReadStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let secret = '';
    const onData = (chunk: Buffer): void => {
      for (const key of chunk.toString('utf8')) {
        if (key === INTERRUPT || ENTER.has(key)) {
          stdin.off('data', onData);
          if (key === INTERRUPT)
            reject(
              new ConfigError({
                code: 'CONFIG_SECRET_CANCELED',
                message: 'expected a key, got an interrupt',
                remedy: 'Run it again.',
              }),
            );
          else resolve(secret.trim());
          return;
        }
        secret = BACKSPACE.has(key) ? secret.slice(0, -1) : secret + key;
      }
    };
    stdin.on('data', onData);
  });
}
