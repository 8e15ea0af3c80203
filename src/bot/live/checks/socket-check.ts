/** @module Whether a WebSocket connection to the gateway opens and answers a ping. One that fails is tried again, as a run does. */
import { BotError, type Clock } from '../../../core/index.ts';
import type { Environment } from '../connect/environment.ts';
import { READY_MS_MAX } from '../start/wait-for.ts';
import { type CheckFinding, fine } from './check.ts';

/** How long one connection may take to its pong, and the pause before the next one. */
const PONG_MS_MAX = 10_000;
const PAUSE_MS = 500;

/** Opens one. @throws BotError `PREFLIGHT_SOCKET_SILENT`. */
export async function examineSocket(environment: Environment, clock: Clock): Promise<CheckFinding> {
  const untilMs = clock.monotonicMs() + READY_MS_MAX;
  for (;;) {
    const fromMs = clock.monotonicMs();
    const why = await pingOnce(environment, clock);
    if (why === undefined)
      return fine(`pong after ${Math.round(clock.monotonicMs() - fromMs)} ms with the connection`);
    if (clock.monotonicMs() + PAUSE_MS >= untilMs) throw silent(why);
    await new Promise<void>((resolve) => void clock.after(PAUSE_MS, resolve));
  }
}

/** Why there was no pong; `undefined`: there was one. */
function pingOnce({ gateway }: Environment, clock: Clock): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = clock.after(PONG_MS_MAX, () => {
      resolve(`no pong within ${PONG_MS_MAX} ms`);
      socket.close('no pong');
    });
    const socket = gateway.sockets.open({
      onOpen: () => socket.send('{"method":"ping"}'),
      onFrame: (text) => {
        if (!text.includes('"pong"')) return;
        timer.cancel();
        resolve(undefined);
        socket.close('done');
      },
      onClose: (why) => {
        timer.cancel();
        resolve(why);
      },
    });
  });
}

function silent(why: string): BotError {
  return new BotError({
    code: 'PREFLIGHT_SOCKET_SILENT',
    message: `expected a pong over WebSocket within ${READY_MS_MAX / 1000} s, but ${why}`,
    remedy: 'Check that WebSocket connections to the base URL pass proxies and firewalls.',
  });
}
