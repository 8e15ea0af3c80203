/** @module Requests of alerts over the network. */
import type { Dispatcher } from 'undici';
import type { Poster } from './courier.ts';

/** Sockets of their own: a channel that hangs takes none from the gateway. */
let agent: Dispatcher | undefined;

/** Sends by HTTP; of the answer only status and one header are looked at. */
export const postByNetwork: Poster = async ({ method, url, headers, body }, signal) => {
  const { Agent, request } = await import('undici');
  agent ??= new Agent({ connections: 2, keepAliveTimeout: 1_000, connect: { timeout: 5_000 } });
  const {
    statusCode,
    headers: answered,
    body: rest,
  } = await request(url, {
    ...{ method, headers: { ...headers }, dispatcher: agent, signal },
    ...(body === undefined ? {} : { body }),
  });
  // What it says is of no interest, and may be endless.
  await rest.dump({ limit: 65_536 });
  const after = Number(answered['retry-after']);
  return { status: statusCode, retryAfterS: Number.isFinite(after) && after >= 0 ? after : undefined };
};
