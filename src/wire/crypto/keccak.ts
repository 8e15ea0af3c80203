/**
 * @module
 * Keccak-256 behind one interface, synchronous once loaded. WASM takes an eighth of the time of plain JavaScript. Does
 * not choose between the back ends: see load.ts. Not SHA3-256, which pads differently.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';

/** Anything that hashes with Keccak-256: a back end, or a loaded `Crypto`. */
export interface Hasher {
  /** The 32-byte Keccak-256 hash of `bytes`, in its own array. */
  keccak256(bytes: Uint8Array): Uint8Array;
}

/** The back ends of Keccak-256, fastest first. */
export const KECCAK_NAMES = ['wasm', 'noble'] as const;
/** The name of a Keccak-256 back end. */
export type KeccakName = (typeof KECCAK_NAMES)[number];

/** One back end of Keccak-256. */
export interface Keccak extends Hasher {
  readonly name: KeccakName;
}

/** The WebAssembly back end. Rejects when the optional package `hash-wasm` is not installed. */
export async function loadWasmKeccak(): Promise<Keccak> {
  const { createKeccak } = await import('hash-wasm');
  const state = await createKeccak(256);
  return { name: 'wasm', keccak256: (bytes) => state.init().update(bytes).digest('binary') };
}

/** The plain JavaScript back end, always there. */
export function nobleKeccak(): Keccak {
  return { name: 'noble', keccak256: (bytes) => keccak_256(bytes) };
}
