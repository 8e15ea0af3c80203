/** @module Words of hostile scenarios: which frames and requests a fault is for, and how long it lasts. */
import { pause } from '../processes.ts';
import type { Scenario } from './judge.ts';
import type { FrameFault, Json, ProxyAnswer, ProxyRequest, RequestFault } from './proxy.ts';
import type { HostileScene } from './scene.ts';

/** A loss that only an audit finds, which comes every 30 s. */
export const AUDIT_S = 40;
export const USUAL_S = 12;
/** A market takes orders again, and nothing else was wrong. */
export const RETURN_S = 6;
/** The switch may have fired, a connection may have been given up. */
export const AFTER_OUTAGE_S = 20;

export const MARKET = ['book', 'bbo', 'trades', 'prices', 'candles'];
export const ACCOUNT = ['orders', 'fills', 'positions', 'account', 'ledger'];
export const BOOKS = ['book', 'bbo'];
export const FAR_SEQ = 9_000_000_000;

export type Rest = Partial<
  Pick<Scenario, 'withinS' | 'person' | 'exits' | 'isHealedByStart' | 'isUnfit' | 'isNewHistory' | 'start'>
>;

export const isOf =
  (...channels: readonly string[]) =>
  (frame: Json): boolean =>
    channels.includes(frame.channel) && frame.isSnapshot !== true;
export const isAnyOf =
  (...channels: readonly string[]) =>
  (frame: Json): boolean =>
    channels.includes(frame.channel);
export const nothing = (): readonly unknown[] => [];
export const twice = (frame: Json): readonly unknown[] => [frame, frame];

/** Hits `times` frames while fills happen. */
export const hitting =
  (fault: FrameFault, times = 1): Scenario['run'] =>
  (scene) =>
    scene.hit(scene.proxy.frames({ ...fault, times }), times);
/** For so long, whatever is hit; fills happen meanwhile. */
export const lasting =
  (ms: number, ...faults: readonly FrameFault[]): Scenario['run'] =>
  async (scene) => {
    const put = faults.map((fault) => scene.proxy.frames(fault));
    for (const untilMs = performance.now() + ms; performance.now() < untilMs; await pause(400))
      await scene.poke();
    for (const one of put) one.take();
  };
/** As {@link lasting} of requests. */
export const answering =
  (ms: number, ...faults: readonly RequestFault[]): Scenario['run'] =>
  (scene) =>
    scene.during(ms, ...faults.map((fault) => scene.proxy.requests(fault)));
/** The next `times` requests. */
export const requests =
  (fault: RequestFault, times = 1): Scenario['run'] =>
  (scene) =>
    scene.hit(scene.proxy.requests({ ...fault, times }), times);

export const isWrite = ({ method }: ProxyRequest): boolean => method === 'POST';
export const isSwitch = ({ path }: ProxyRequest): boolean => path.endsWith('/schedule-cancel');
export const isOrder = (one: ProxyRequest): boolean => isWrite(one) && !isSwitch(one);
export const isRead = ({ method }: ProxyRequest): boolean => method === 'GET';
export const at =
  (path: RegExp) =>
  (one: ProxyRequest): boolean =>
    path.test(one.path);
export const always = (): boolean => true;
export const answer = (
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): ProxyAnswer => ({
  status,
  headers: { 'content-type': text.startsWith('<') ? 'text/html' : 'application/json', ...headers },
  text,
});
export const html = (status: number, headers: Readonly<Record<string, string>> = {}): ProxyAnswer =>
  answer(
    status,
    `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`,
    headers,
  );
/** The answer with its JSON changed. */
export const edited =
  (change: (body: Json) => Json) =>
  (one: ProxyAnswer): ProxyAnswer => {
    try {
      return { ...one, text: JSON.stringify(change(JSON.parse(one.text))) };
    } catch {
      return one;
    }
  };

/** Drops the stream of fills for a moment, so that a history page is asked for at the next connection. */
export async function reconnecting(scene: HostileScene, ...faults: readonly RequestFault[]): Promise<void> {
  const lost = scene.proxy.frames({ on: isOf('fills', 'ledger'), to: nothing, times: 2 });
  await scene.hit(lost, 1);
  const put = faults.map((fault) => scene.proxy.requests(fault));
  scene.proxy.closeStreams(1012);
  await scene.during(4_000, ...put);
}

/** Takes scenarios of one group after the other. */
export type Add = (group: string, name: string, fault: string, run: Scenario['run'], rest?: Rest) => void;

/** The scenarios that `fill` adds. */
export function scenariosOf(fill: (add: Add) => void): readonly Scenario[] {
  const all: Scenario[] = [];
  fill((group, name, fault, run, rest = {}) => {
    all.push({ group, name, fault, withinS: USUAL_S, run, ...rest });
  });
  return all;
}
