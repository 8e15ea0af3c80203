/**
 * @module
 * A transport whose answers a test scripts, on a virtual clock.
 */
import { seededRandom, silentLog, silentMeter, VirtualClock } from '../../../../src/core/index.ts';
import {
  createGateway,
  type Gateway,
  type HttpRequest,
  type Transport,
} from '../../../../src/wire/gateway/index.ts';
import type { HttpAnswer, NoAnswer, SocketListener } from '../../../../src/wire/gateway/transport.ts';
import { decodeTime } from '../../../../src/wire/protocol/index.ts';

/** The simplest of all reads. */
export function readTime(reader: Gateway['reader']): Promise<number> {
  return reader.read({ endpoint: 'time' }, decodeTime);
}

/** An answer with JSON in it. */
export function answer(status: number, json: unknown, headers: Record<string, string> = {}): HttpAnswer {
  return { kind: 'answer', status, headers, body: typeof json === 'string' ? json : JSON.stringify(json) };
}

/** An error of the gateway. */
export function refusal(status: number, code: string, details: object = {}, headers = {}): HttpAnswer {
  return answer(status, { error: { code, num: 1, message: 'no', details } }, headers);
}

/** A transport and what went over it. */
export interface ScriptedGateway {
  readonly gateway: Gateway;
  readonly clock: VirtualClock;
  readonly requests: HttpRequest[];
  /** When each request left, monotonic milliseconds. */
  readonly leftAtMs: number[];
  readonly opened: SocketListener[];
  /** Answers a request; may be replaced. */
  handler: (request: HttpRequest) => HttpAnswer | NoAnswer | Promise<HttpAnswer | NoAnswer>;
}

/** A gateway over a scripted transport. */
export function aGateway(headerPrefix?: string): ScriptedGateway {
  const clock = new VirtualClock(1_767_700_020_000);
  const requests: HttpRequest[] = [];
  const leftAtMs: number[] = [];
  const opened: SocketListener[] = [];
  const transport: Transport = {
    request: async (request) => {
      requests.push(request);
      leftAtMs.push(clock.monotonicMs());
      return await scripted.handler(request);
    },
    open: (listener, onUpgrade) => {
      opened.push(listener);
      onUpgrade?.(101, {});
      return { send: () => undefined, close: (why) => listener.onClose(why) };
    },
  };
  const scripted: ScriptedGateway = {
    clock,
    requests,
    leftAtMs,
    opened,
    handler: () => answer(200, {}),
    gateway: createGateway({
      baseUrl: 'http://exchange',
      transport,
      clock,
      random: seededRandom(1),
      log: silentLog,
      meter: silentMeter,
      ...(headerPrefix === undefined ? {} : { headerPrefix }),
    }),
  };
  return scripted;
}
