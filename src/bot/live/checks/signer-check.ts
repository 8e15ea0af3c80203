/** @module How fast a key in another process signs. */
import { isExternal } from '../../../wire/crypto/index.ts';
import { SignerProcess } from '../../setup/index.ts';
import { tryKey } from '../connect/external-keys.ts';
import { type CheckFinding, fine, skipped, warned } from './check.ts';
import type { Examination } from './examination.ts';

const TRIES = 10;
/** A signature is made while the record of its write becomes durable: longer than that it holds the write up. */
const MEDIAN_MS_WARN = 20;

/** Has a wallet sign a few times. */
export async function examineSigner(at: Examination, name: string): Promise<CheckFinding> {
  const { key } = at.wallet(name);
  if (!isExternal(key) || !(key.signer instanceof SignerProcess))
    return skipped('its key is in a file, and signs in this process');
  for (let tries = 0; tries < TRIES; tries++) await tryKey(at.crypto, key);
  const { signed, failed, medianMs, worstMs, why } = key.signer.state();
  const detail = `${signed} signatures, median ${medianMs.toFixed(1)} ms, worst ${worstMs.toFixed(1)} ms, ${failed} failed`;
  if (why !== undefined)
    return warned(`${detail}: ${why}`, 'Try its command by hand: docs/guides/external-signers.md.');
  if (medianMs <= MEDIAN_MS_WARN) return fine(detail);
  return warned(detail, 'Bring the signer nearer, or give the wallet a key file: each order waits for it.');
}
