/** @module Alerts without a desk: one that a person tries, and one of a process that outlives the run. */
import type { Clock, Log } from '../../core/index.ts';
import type { ChannelFigures } from '../operator/index.ts';
import { type AlertSource, type EventName, eventOf } from './alert.ts';
import type { ChannelPlan } from './channels.ts';
import { Courier, type Poster } from './courier.ts';

/** Sends one event to each channel, and says what became of it. It takes at most `withinMs`. */
export async function sendOnce(
  { source, channels }: { readonly source: AlertSource; readonly channels: readonly ChannelPlan[] },
  { kind, about, text }: { readonly kind: EventName; readonly about: string; readonly text: string },
  ports: { readonly clock: Clock; readonly log: Log; readonly post: Poster },
  withinMs: number,
): Promise<readonly ChannelFigures[]> {
  const { clock } = ports;
  const couriers = channels.map((one) => new Courier({ ...one, minSeverity: 'info' }, source, ports));
  for (const one of couriers) one.take(eventOf(kind, about, text, clock.nowMs()));
  await new Promise<void>((resolve) => {
    const timer = clock.after(withinMs, resolve);
    void Promise.all(couriers.map((one) => one.idle())).then(() => {
      timer.cancel();
      resolve();
    });
  });
  for (const one of couriers) one.close();
  return couriers.map((one) => one.figures());
}
