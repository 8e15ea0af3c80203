/** Channels of alerts on a virtual clock, whose other side a test holds by the hand. */
import type { AlertPlan, ChannelPlan } from '../../src/bot/alerts/index.ts';
import type { VirtualClock } from '../../src/core/index.ts';

/** A request that came, read. */
export interface Came {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: documents of many shapes
  readonly body: any;
}

/** What the other side does with a request: a status, nothing at all, or an error. */
export type Reaction = number | 'silence' | Error | { readonly status: number; readonly retryAfterS: number };

/** The other side. */
export class OtherSide {
  readonly came: Came[] = [];
  /** Of the next requests, in order; then 200. */
  reactions: Reaction[] = [];
  /** Of every request, while it is set. */
  always: Reaction | undefined;

  readonly post = (
    {
      url,
      method,
      headers,
      body,
    }: { url: string; method: string; headers: object; body: string | undefined },
    signal: AbortSignal,
  ): Promise<{ status: number; retryAfterS: number | undefined }> => {
    this.came.push({
      ...{ url, method, headers: headers as Came['headers'] },
      body: body === undefined ? undefined : JSON.parse(body),
    });
    const reaction = this.always ?? this.reactions.shift() ?? 200;
    return new Promise((resolve, reject) => {
      if (typeof reaction === 'number') resolve({ status: reaction, retryAfterS: undefined });
      else if (reaction instanceof Error) reject(reaction);
      else if (reaction === 'silence')
        signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
      else resolve(reaction);
    });
  };

  /** The kinds and states of every alert that came, in order. */
  told(): readonly string[] {
    return this.came.flatMap(({ body }) =>
      (body?.alerts ?? []).map(
        ({ kind, about, state }: Record<string, string>) => `${kind} ${about} ${state}`,
      ),
    );
  }
}

/** Lets everything happen that is due within `ms`, and what follows from it. */
export async function pass(clock: VirtualClock, ms: number): Promise<void> {
  const endMs = clock.monotonicMs() + ms;
  await settle();
  while (clock.step(endMs)) await settle();
  clock.moveTo(endMs);
  await settle();
}

/** What promises that are done have to do is done. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export const SOURCE = { runId: 'run-1', name: 'maker', mode: 'live', environment: 'test' } as const;

export function aChannel(changes: Partial<ChannelPlan> = {}): ChannelPlan {
  return {
    ...{ name: 'desk', kind: 'webhook', url: 'http://127.0.0.1:1/hook/very-secret-path' },
    ...{ token: undefined, chat: undefined, minSeverity: 'info', maxPerMinute: 60 },
    ...changes,
  };
}

export function aPlan(changes: Partial<AlertPlan> = {}): AlertPlan {
  return {
    ...{ source: SOURCE, channels: [aChannel()], heartbeat: undefined },
    ...{ staleMarketMs: 30_000, repeatMs: 3_600_000, hasSummary: true },
    ...changes,
  };
}
