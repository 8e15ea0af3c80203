/**
 * @module
 * I15 and I29: work is bounded, and a stream is neither forgotten nor believed for long when it is silent (O89, O90). Reads of one resource, new streams, requests under way, subscriptions of a stream and
 * rows that wait for the disk all stay below a declared cap, whatever goes wrong outside.
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I15', 'I29'], begin }];

const WINDOW_MS = 60_000;
/** One a second at most (obligation O118), and as many again for what is asked for good reason meanwhile. */
const PER_RESOURCE_MAX = 120;
/** A receipt is polled from 50 ms on, up to once a second (outcomes-and-receipts.md). */
const PER_RECEIPT_MAX = 120;
const STREAMS_MAX = 60;
const UNDER_WAY_MAX = 64;
const SUBSCRIPTIONS_MAX = 200;
const ROWS_WAITING_MAX = 2_000;
/** A client frame every 20 s and a slow loop (obligation O89); a half-open socket is noticed within 10 s (O90). */
const CLIENT_GAP_MS_MAX = 25_000;
const SILENCE_MS_MAX = 12_000;

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const rates = new Rates(world);
  const counts = new Counts(world);
  const streams = new Streams(world);
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'life' && sight.what === 'started') {
        rates.begin();
        counts.begin();
        streams.begin();
      } else {
        rates.see(sight);
        counts.see(sight);
        streams.see(sight);
      }
    },
    onBlock: () => {
      // A process that stands still sends nothing and hears nothing; it is the switch that looks after it then.
      if (world.isPaused()) streams.pardon(scene.nowMs);
      else if (world.life().state === 'running') streams.check(scene.nowMs);
    },
  };
}

/** What passes on each open stream. */
class Streams {
  readonly #world: OracleWorld;
  readonly #open = new Map<number, { sentAtMs: number; heardAtMs: number }>();

  constructor(world: OracleWorld) {
    this.#world = world;
  }

  begin(): void {
    this.#open.clear();
  }

  see(sight: Sight): void {
    if (sight.kind === 'opened')
      this.#open.set(sight.socket, { sentAtMs: sight.atMs, heardAtMs: sight.atMs });
    else if (sight.kind === 'closed') this.#open.delete(sight.socket);
    else if (sight.kind === 'sent' || sight.kind === 'frame') {
      const stream = this.#open.get(sight.socket);
      if (stream === undefined) return;
      if (sight.kind === 'sent') stream.sentAtMs = sight.atMs;
      else stream.heardAtMs = sight.atMs;
    }
  }

  /** What was silent until now is not judged by it. */
  pardon(nowMs: number): void {
    for (const stream of this.#open.values()) {
      stream.sentAtMs = nowMs;
      stream.heardAtMs = nowMs;
    }
  }

  check(nowMs: number): void {
    for (const [socket, { sentAtMs, heardAtMs }] of this.#open) {
      const sentMs = nowMs - sentAtMs;
      const heardMs = nowMs - heardAtMs;
      if (sentMs <= CLIENT_GAP_MS_MAX && heardMs <= SILENCE_MS_MAX) continue;
      this.#open.delete(socket);
      const what =
        sentMs > CLIENT_GAP_MS_MAX ? `no client frame for ${sentMs} ms` : `silent for ${heardMs} ms`;
      this.#world.violate('I29', `stream ${socket}: ${what}, and it is kept`);
    }
  }
}

/** How often a thing is done within a window of a minute. */
class Rates {
  readonly #world: OracleWorld;
  readonly #counts = new Map<string, number>();
  #windowEndsMs = 0;

  constructor(world: OracleWorld) {
    this.#world = world;
  }

  /** A new process knows nothing of what the one before it did. */
  begin(): void {
    this.#counts.clear();
  }

  see(sight: Sight): void {
    if (sight.kind === 'opening') this.#count('streams', sight.atMs, STREAMS_MAX);
    if (sight.kind !== 'request' || sight.method !== 'GET') return;
    const resource = sight.path.split('?')[0] ?? '';
    // Each page of a history is a resource, and the counter of each API wallet: lanes ask for their own.
    const page = /[?&](?:after|signer)=([^&]*)/.exec(sight.path)?.[1] ?? '';
    const max = resource.includes('/requests/') ? PER_RECEIPT_MAX : PER_RESOURCE_MAX;
    this.#count(`${resource} ${page}`, sight.atMs, max);
  }

  #count(what: string, atMs: number, max: number): void {
    if (atMs >= this.#windowEndsMs) {
      this.#windowEndsMs = atMs + WINDOW_MS;
      this.#counts.clear();
    }
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    if (count === max + 1) this.#world.violate('I29', `more than ${max} a minute: ${what}`);
  }
}

/** How much there is at once. */
class Counts {
  readonly #world: OracleWorld;
  readonly #underWay = new Set<number>();
  readonly #subscriptions = new Map<number, number>();
  #rows = 0;

  constructor(world: OracleWorld) {
    this.#world = world;
  }

  begin(): void {
    this.#underWay.clear();
    this.#subscriptions.clear();
    this.#rows = 0;
  }

  see(sight: Sight): void {
    switch (sight.kind) {
      case 'request':
        this.#underWay.add(sight.id);
        this.#hold('requests under way', this.#underWay.size, UNDER_WAY_MAX);
        break;
      case 'answer':
      case 'noAnswer':
        this.#underWay.delete(sight.id);
        break;
      case 'recorded':
        this.#hold('rows that wait for the disk', ++this.#rows, ROWS_WAITING_MAX);
        break;
      case 'durable':
        this.#rows--;
        break;
      case 'sent':
        this.#subscribe(sight.socket, sight.text);
        break;
      case 'audit':
        if (sight.event.type === 'InboxOverflowed')
          this.#world.violate('I15', 'the inbox of the kernel overflowed');
        break;
      default:
        break;
    }
  }

  #subscribe(socket: number, text: string): void {
    const by = text.includes('"unsubscribe"') ? -1 : text.includes('"subscribe"') ? 1 : 0;
    if (by === 0) return;
    const count = (this.#subscriptions.get(socket) ?? 0) + by;
    this.#subscriptions.set(socket, count);
    this.#hold('subscriptions of a stream', count, SUBSCRIPTIONS_MAX);
  }

  #hold(what: string, count: number, max: number): void {
    if (count === max + 1) this.#world.violate('I15', `more than ${max} ${what}`);
  }
}
