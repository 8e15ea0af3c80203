/**
 * @module
 * Seeded randomness: sfc32 (C. Doty-Humphrey, PractRand), stable over versions and machines. A seed and a commit
 * reproduce any run. Named sub-streams keep one consumer's draws from shifting another's.
 */
import { randomBytes } from 'node:crypto';
import { assert } from './assert.ts';

/** A source of pseudo-random numbers. */
export interface Random {
  /** A number in [0, 1) with 32 random bits. */
  next(): number;
  /** An integer from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** True with probability `p`. */
  chance(p: number): boolean;
  /** A draw of the standard normal distribution (Box-Muller). */
  normal(): number;
  /** A draw of the exponential distribution with the given mean. */
  exponential(mean: number): number;
  /** An independent stream that depends only on this seed and `name`, not on what was drawn so far. */
  fork(name: string): Random;
}

/** A generator of the stream `seed`. @example seededRandom(7).integer(1, 6) */
export function seededRandom(seed: number | string): Random {
  return new Sfc32(String(seed));
}

/** A seed that cannot be guessed, to start an unseeded run with; it is logged so that the run can be repeated. */
export function freshSeed(): number {
  return randomBytes(4).readUInt32LE(0);
}

/** Unpredictable bytes from the operating system: for keys only. */
export function secureBytes(count: number): Uint8Array {
  return new Uint8Array(randomBytes(count));
}

class Sfc32 implements Random {
  readonly #path: string;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(path: string) {
    this.#path = path;
    [this.#a, this.#b, this.#c] = hashText(path);
    for (let i = 0; i < 12; i++) this.#draw();
  }

  next(): number {
    return this.#draw() / 4294967296;
  }

  integer(min: number, max: number): number {
    assert(
      Number.isSafeInteger(min) && Number.isSafeInteger(max) && min <= max,
      `a range of integers, got ${min} to ${max}`,
    );
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(p: number): boolean {
    return this.next() < p;
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  fork(name: string): Random {
    return new Sfc32(`${this.#path}/${name}`);
  }

  #draw(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum >>> 0;
  }
}

/** Three 32-bit words from a text (FNV-1a with three offsets, then mixed). */
function hashText(text: string): [number, number, number] {
  const words: [number, number, number] = [0x811c9dc5, 0x9e3779b9, 0x85ebca6b];
  for (let i = 0; i < text.length; i++) {
    for (let w = 0; w < 3; w++)
      words[w as 0] = Math.imul((words[w as 0] ?? 0) ^ (text.charCodeAt(i) + w), 0x01000193);
  }
  return words;
}
