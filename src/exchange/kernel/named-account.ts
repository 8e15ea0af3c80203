/** @module An account that was made at a desk, with its keys. */
import type { Hex } from '../../core/index.ts';
import type { Address } from '../../domain/index.ts';

/** An account that was made for somebody, with its ephemeral keys. */
export interface NamedAccount {
  readonly name: string;
  readonly address: Address;
  readonly privateKey: Hex;
  readonly accountId: number;
  readonly apiWallets: readonly { readonly address: Address; readonly privateKey: Hex }[];
}
