/**
 * @module
 * Disturbances of single frames on their way to subscribers, put in by tests: lost, late, repeated or changed, and
 * always in silence. No `lagged` follows: what a client does not hear of here, it has to find out.
 */

/** What happens to a frame. */
export type FrameFault =
  | { readonly kind: 'lose' | 'repeat' }
  /** It comes later, and what follows on its channel comes behind it; other channels pass. */
  | { readonly kind: 'delay'; readonly delayMs: number }
  | { readonly kind: 'change'; readonly edit: (text: string) => string };

/** Which frames a fault hits, and how many of them. */
export interface FrameRule {
  readonly fault: FrameFault;
  readonly matches: (text: string) => boolean;
  /** Frames that match and pass before the first that is hit. */
  readonly skip: number;
  readonly times: number;
}

const CHANNEL = /^\{"channel":"(\w+)"/;

/** The channel of a frame; empty for one without. */
export function channelOf(text: string): string {
  return CHANNEL.exec(text)?.[1] ?? '';
}

/** The faults that wait for a frame. */
export class FrameFaults {
  #rules: { readonly rule: FrameRule; skip: number; timesLeft: number }[] = [];

  /** True while no frame is to be disturbed. */
  get isQuiet(): boolean {
    return this.#rules.length === 0;
  }

  /** Adds a rule; of several that match a frame the oldest hits. The function it returns takes it away. */
  add(rule: FrameRule): () => void {
    this.#rules.push({ rule, skip: rule.skip, timesLeft: rule.times });
    return () => {
      this.#rules = this.#rules.filter((other) => other.rule !== rule);
    };
  }

  /** Removes all rules. */
  clear(): void {
    this.#rules = [];
  }

  /** What happens to this frame; `undefined`: nothing. */
  take(text: string): FrameFault | undefined {
    for (const entry of this.#rules) {
      if (!entry.rule.matches(text)) continue;
      if (entry.skip > 0) {
        entry.skip--;
        continue;
      }
      entry.timesLeft--;
      if (entry.timesLeft <= 0) this.#rules = this.#rules.filter((other) => other !== entry);
      return entry.rule.fault;
    }
    return undefined;
  }
}
