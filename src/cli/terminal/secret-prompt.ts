/**
 * @module
 * Asks for a secret: from an open file descriptor, or on a terminal without echo.
 */
import { readFileSync } from 'node:fs';
import { ConfigError } from '../../core/index.ts';

const ENTER = new Set(['\r', '\n', '\u0004']);
const INTERRUPT = '\u0003';
const BACKSPACE = new Set(['\u007f', '\b']);

/** The secret, without the blanks around it. @throws ConfigError when there is neither descriptor nor terminal. */
export async function askSecret(prompt: string, descriptor: number | undefined): Promise<string> {
  if (descriptor !== undefined) return readFileSync(descriptor, 'utf8').trim();
  const { stdin, stderr } = process;
  if (!stdin.isTTY) {
    throw new ConfigError({
      code: 'CONFIG_SECRET_UNREADABLE',
      message: 'expected a terminal to ask for the main wallet key, got none',
      remedy: 'Run it in a terminal, or hand the key over as an open file: --key-fd 3 3< file.',
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
