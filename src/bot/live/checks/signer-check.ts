/** @module How fast a key in another process, or behind a service, signs. */
import { isExternal } from '../../../wire/crypto/index.ts';
import { SLOW_MS, WatchedSigner } from '../../setup/index.ts';
import { tryKey } from '../connect/external-keys.ts';
import { type CheckFinding, fine, skipped, warned } from './check.ts';
import type { Examination } from './examination.ts';

const TRIES = 10;

/** Has a wallet sign a few times. */
export async function examineSigner(at: Examination, name: string): Promise<CheckFinding> {
  const { key } = at.wallet(name);
  if (!isExternal(key) || !(key.signer instanceof WatchedSigner))
    return skipped('its key is in a file, and signs in this process');
  for (let tries = 0; tries < TRIES; tries++) await tryKey(at.crypto, key);
  const { signed, failed, p50Ms, worstMs, why } = key.signer.state();
  const detail = `${signed} signatures, median ${p50Ms.toFixed(1)} ms, worst ${worstMs.toFixed(1)} ms, ${failed} failed`;
  if (why !== undefined)
    return warned(
      signed === 0 ? `the signer of ${name} does not answer: ${why}` : `${detail}: ${why}`,
      'Start the signer, or correct wallets[].signer; try it by hand as docs/guides/external-signers.md shows. Without it the lane of the wallet cannot write.',
    );
  if (p50Ms <= SLOW_MS) return fine(detail);
  return warned(detail, 'Bring the signer nearer, or give the wallet a key file: each order waits for it.');
}
