/**
 * @module
 * Fixed vectors that a back end must reproduce before it is handed out: a wrong or silently different library must
 * never sign an order. The four signatures are the RFC 6979 vectors that Bitcoin Core, trezor-crypto and noble share;
 * the hashes of more than a block were made by two implementations.
 */
import { fromHex, type Hex, toHex } from '../../core/index.ts';
import type { Hasher } from './keccak.ts';
import type { Secp256k1 } from './secp256k1/backend.ts';

interface SignVector {
  readonly secret: Hex;
  readonly digest: Hex;
  readonly signature: Hex;
  readonly recovery: number;
}

const SIGN_VECTORS: readonly SignVector[] = [
  {
    secret: '0x0000000000000000000000000000000000000000000000000000000000000001',
    digest: '0xa0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e',
    signature:
      '0x934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d82442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5',
    recovery: 1,
  },
  {
    secret: '0x0000000000000000000000000000000000000000000000000000000000000001',
    digest: '0x7d1833f54854ac51659521afcd0ec6dca2ce2351429614bfa28a756b1b3c637f',
    signature:
      '0x8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21',
    recovery: 0,
  },
  {
    secret: '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140',
    digest: '0xa0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e',
    signature:
      '0xfd567d121db66e382991534ada77a6bd3106f0a1098c231e47993447cd6af2d06b39cd0eb1bc8603e159ef5c20a5c8ad685a45b06ce9bebed3f153d10d93bed5',
    recovery: 0,
  },
  {
    secret: '0xf8b8af8ce3c7cca5e300d33939540c10d45ce001b8f252bfbc57ba0342904181',
    digest: '0x4ba38d48a60f1b29e9eb726eaff08b2e83d8d81e031666fee50e85900d7dc1ef',
    signature:
      '0x7063ae83e7f62bbb171798131b4a0564b956930092b33b07b395615d9ec7e15c58dfcc1e00a35e1572f366ffe34ba0fc47db1e7189759b9fb233c5b05ab388ea',
    recovery: 0,
  },
];

/** Letters `a` by their number, and the hash. A block is 136 bytes; 135 leaves room for one byte of padding. */
const KECCAK_VECTORS: readonly (readonly [letters: number, hash: Hex])[] = [
  [0, '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
  [135, '0x34367dc248bbd832f4e3e69dfaac2f92638bd0bbd18f2912ba4ef454919cf446'],
  [136, '0xa6c4d403279fe3e0af03729caada8374b5ca54d8065329a3ebcaeb4b60aa386e'],
  [200, '0x96ea54061def936c4be90b518992fdc6f12f535068a256229aca54267b4d084d'],
];

/** What is wrong with `backend`, or undefined when it signs, recovers and verifies as it must. Also warms it up. */
export function secp256k1Defect(backend: Secp256k1): string | undefined {
  for (const [index, vector] of SIGN_VECTORS.entries()) {
    const which = `vector ${index + 1} of ${SIGN_VECTORS.length}`;
    const digest = fromHex(vector.digest);
    const secret = fromHex(vector.secret);
    const { signature, recovery } = backend.sign(digest, secret);
    if (toHex(signature) !== vector.signature) return `signs other bytes than RFC 6979, ${which}`;
    if (recovery !== vector.recovery) return `gives another recovery id, ${which}`;
    const publicKey = backend.publicKey(secret);
    const recovered = backend.recover(digest, signature, recovery);
    if (recovered === undefined || !sameBytes(recovered, publicKey)) return `recovers another key, ${which}`;
    if (!backend.verify(digest, signature, publicKey)) return `does not verify its own signature, ${which}`;
    if (
      backend.verify(
        digest.map((byte) => byte ^ 1),
        signature,
        publicKey,
      )
    ) {
      return `verifies a signature of another digest, ${which}`;
    }
  }
  return undefined;
}

/** What is wrong with `backend`, or undefined when it hashes as it must. */
export function keccakDefect(backend: Hasher): string | undefined {
  for (const [letters, hash] of KECCAK_VECTORS) {
    const bytes = new Uint8Array(letters).fill(0x61);
    if (toHex(backend.keccak256(bytes)) !== hash) return `gives another hash for ${letters} bytes`;
  }
  return undefined;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
