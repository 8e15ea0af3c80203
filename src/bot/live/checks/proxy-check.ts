/** @module Whether the outgoing proxy of a configuration opens a tunnel to the gateway. */
import type { Config } from '../../../config/index.ts';
import { BotError } from '../../../core/index.ts';
import { connectBy } from '../../../wire/gateway/index.ts';
import { type CheckFinding, fine, skipped } from './check.ts';

const TUNNEL_MS_MAX = 5_000;

/** Opens a tunnel and closes it. @throws BotError `PREFLIGHT_PROXY_REFUSED`. */
export async function examineProxy({ baseUrl, proxy }: Config['environment']): Promise<CheckFinding> {
  if (proxy === undefined || baseUrl === undefined) return skipped('environment.proxy is not set');
  const { hostname, port, protocol } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const target = { host, port: Number(port || (protocol === 'https:' ? 443 : 80)), isSecure: false };
  const why = await new Promise<string | undefined>((resolve) => {
    connectBy({ proxy }, target, TUNNEL_MS_MAX, (error, socket) => {
      socket?.destroy();
      resolve(error?.message);
    });
  });
  if (why === undefined) return fine(`${proxy} opens a tunnel to ${host}:${target.port}`);
  throw new BotError({
    code: 'PREFLIGHT_PROXY_REFUSED',
    message: `expected a tunnel to ${host}:${target.port} through environment.proxy, but ${why}`,
    remedy: 'Correct environment.proxy, or have the proxy allow CONNECT to the host and port of the gateway.',
  });
}
