/**
 * @module
 * Signatures that are made elsewhere. A write is named, journaled and composed as with a key in this process, around a
 * stand-in; the signature is asked for at once and takes its place before the first byte leaves. Where there is none, not one
 * byte of the write has left: the lane treats it as one that met no connection.
 */
import { type Hex, messageOf } from '../../../core/index.ts';
import type { WriteCall } from '../rest/client.ts';
import type { AccountWritePipe } from '../rest/write-pipe.ts';
import type { NoAnswer } from '../transport.ts';

/** A write that waits for its signature. */
interface Asked {
  /** `undefined`: it failed, and is asked for again with the next try. */
  signature: Promise<Hex> | undefined;
  readonly ask: () => Promise<Hex>;
}

/** A lane has one write at a time; of more than these the oldest are over. */
const ASKED_MAX = 64;
/** The digits of a signature that no key makes: its v is no v. */
const STAND_IN = 'ee'.repeat(57);
const IN_BODY = /"signature":"(0x(?:ee){57}[0-9a-f]{16})"/;

/** The signatures of one run. */
export class ExternalSignatures {
  readonly #asked = new Map<Hex, Asked>();
  #count = 0n;

  /** What stands for a signature until it is there; `ask` is called at once. */
  standIn(ask: () => Promise<Hex>): Hex {
    this.#count++;
    const place: Hex = `0x${STAND_IN}${this.#count.toString(16).padStart(16, '0')}`;
    this.#asked.set(place, { ask, signature: settled(ask()) });
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > ASKED_MAX && oldest !== undefined) this.#asked.delete(oldest);
    return place;
  }

  /** A pipe that puts signatures in place. Writes of other signers pass as they are. */
  over(pipe: AccountWritePipe): AccountWritePipe {
    return {
      ...pipe,
      post: async (write) => {
        const signed = await this.#signed(write);
        return 'kind' in signed ? signed : await pipe.post(signed);
      },
    };
  }

  async #signed(write: WriteCall): Promise<WriteCall | NoAnswer> {
    const place = IN_BODY.exec(write.body)?.[1] as Hex | undefined;
    const asked = place === undefined ? undefined : this.#asked.get(place);
    if (place === undefined) return write;
    if (asked === undefined) return notSent('its signature was asked for too long ago');
    try {
      asked.signature ??= settled(asked.ask());
      const signature = await asked.signature;
      return { ...write, body: write.body.replace(place, signature) };
    } catch (thrown) {
      asked.signature = undefined;
      return notSent(messageOf(thrown));
    }
  }
}

/** What fails before somebody waits for it is no unhandled rejection. */
function settled(signature: Promise<Hex>): Promise<Hex> {
  signature.catch(() => undefined);
  return signature;
}

function notSent(why: string): NoAnswer {
  return { kind: 'notSent', why };
}
