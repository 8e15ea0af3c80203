/**
 * @module
 * Ephemeral wallets drawn from the seed of an exchange. Their keys may be printed: they are worth nothing anywhere
 * else.
 */
import { type Hex, type Random, toHex } from '../../core/index.ts';
import type { Address } from '../../domain/index.ts';
import { type Crypto, type SecretKey, secretKeyOf } from '../../wire/crypto/index.ts';

/** A key in the open. */
export interface EphemeralKey {
  /** Address of the wallet. */
  readonly address: Address;
  /** Private key, 0x and 64 hexadecimal digits. */
  readonly privateKey: Hex;
  /** The same key in the form that `crypto` signs with. */
  readonly key: SecretKey;
}

/** A main wallet with its API wallets. */
export interface SeedAccount extends EphemeralKey {
  /** Approved API wallets. */
  readonly apiWallets: readonly EphemeralKey[];
}

/** The account of this name: the same for the same seed. */
export function seedAccount(
  parts: { readonly random: Random; readonly crypto: Crypto },
  name: string,
  apiWalletCount: number,
): SeedAccount {
  const random = parts.random.fork(`account ${name}`);
  const apiWallets = Array.from({ length: apiWalletCount }, (_none, index) =>
    ephemeralKey(parts.crypto, random.fork(`api wallet ${index}`)),
  );
  return { ...ephemeralKey(parts.crypto, random), apiWallets };
}

function ephemeralKey(crypto: Crypto, random: Random): EphemeralKey {
  // The first byte stays below 128, so the number is below the curve order; it is not zero either.
  const bytes = Uint8Array.from({ length: 32 }, (_none, at) =>
    at === 0 ? random.integer(1, 127) : random.integer(0, 255),
  );
  const key = secretKeyOf(crypto, bytes);
  return { address: key.address as Address, privateKey: toHex(bytes), key };
}
