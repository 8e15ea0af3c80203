/**
 * @module
 * The hash over everything that was seen in a run but its log lines: two runs of a seed have the same (I19).
 */
import { createHash } from 'node:crypto';
import type { Sight } from './types.ts';

/** Text is hashed in pieces of about this length. */
const PIECE_CHARACTERS = 65_536;

/** Hashes sights as they come. */
export class Trace {
  readonly #hash = createHash('sha256');
  #text = '';
  #count = 0;

  /** Sights so far. */
  get count(): number {
    return this.#count;
  }

  add(sight: Sight): void {
    if (sight.kind === 'log') return;
    this.#count++;
    this.#text += `${sight.atMs} ${sight.kind} ${wordsOf(sight)}\n`;
    if (this.#text.length >= PIECE_CHARACTERS) this.#flush();
  }

  /** The hash so far, hex. */
  hash(): string {
    this.#flush();
    return this.#hash.copy().digest('hex');
  }

  #flush(): void {
    this.#hash.update(this.#text);
    this.#text = '';
  }
}

/** What tells a sight from another of its kind. */
function wordsOf(sight: Exclude<Sight, { readonly kind: 'log' }>): string {
  switch (sight.kind) {
    case 'request':
      return `${sight.id} ${sight.life} ${sight.method} ${sight.path} ${JSON.stringify(sight.headers)} ${sight.body}`;
    case 'arrived':
      return `${sight.id} ${sight.times}`;
    case 'answer':
      return `${sight.id} ${sight.life} ${sight.status} ${JSON.stringify(sight.headers)} ${sight.body}`;
    case 'noAnswer':
      return `${sight.id} ${sight.life} ${sight.why}`;
    case 'sent':
    case 'frame':
      return `${sight.socket} ${sight.life} ${sight.text}`;
    case 'opening':
    case 'opened':
    case 'closed':
      return `${sight.socket} ${sight.life} ${sight.why ?? ''}`;
    case 'recorded':
    case 'durable':
      return `${sight.life} ${sight.type} ${sight.scope} ${sight.body}`;
    case 'audit':
      return `${sight.life} ${sight.event.type} ${sight.event.correlationId ?? ''} ${sight.event.causationId ?? ''} ${sight.event.atMs}`;
    case 'life':
      return `${sight.life} ${sight.what} ${sight.why ?? ''}`;
    case 'clockStepped':
      return `${sight.life} ${sight.byMs}`;
    case 'tailTorn':
      return `${sight.life} ${sight.rows}`;
    case 'fault':
      return `${sight.id} ${sight.what}`;
    case 'withheld':
      return sight.text;
    case 'healed':
      return '';
  }
}
