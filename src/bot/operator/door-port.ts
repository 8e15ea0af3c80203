/** @module The port of the door of a run, and whether it can be had. */
import { createServer } from 'node:net';
import { ConfigError, messageOf } from '../../core/index.ts';

/** Where doors are opened: this machine alone. */
export const HOST = '127.0.0.1';

/** Whether a door could be opened at `port`. @throws ConfigError `CONFIG_PORT_IN_USE`, as a run. */
export async function tryDoorPort(port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(portRefused(port, cause)));
    server.listen(port, HOST, () => resolve());
  });
  await new Promise<void>((resolve) => void server.close(() => resolve()));
}

/** The error of a port that cannot be had. */
export function portRefused(port: number, cause: Error): ConfigError {
  return new ConfigError({
    code: 'CONFIG_PORT_IN_USE',
    message: `expected port ${port} of ${HOST} to be free for the door of the run, got ${messageOf(cause)}`,
    remedy: 'Set operator.port to 0 or to a free port.',
    cause,
  });
}
