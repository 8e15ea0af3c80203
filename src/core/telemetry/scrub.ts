/**
 * @module
 * The last filter before a line leaves: known secret values are replaced wherever they are, also inside messages and
 * stacks, which path-based redaction misses.
 */

/** Registers secret values and removes them from text. */
export interface Scrubber {
  /** Remembers `secret` in the forms it can appear in: with and without 0x, either case, base64. */
  add(secret: string): void;
  /** `text` with every known secret replaced. */
  scrub(text: string): string;
}

/** What replaces a secret. */
const REDACTED = '[redacted]';

/** Secrets shorter than this would match by chance. */
const SECRET_LENGTH_MIN = 8;

/** A scrubber that knows nothing yet. */
export function createScrubber(): Scrubber {
  let pattern: RegExp | undefined;
  const forms = new Set<string>();
  return {
    add(secret) {
      const bare = secret.startsWith('0x') ? secret.slice(2) : secret;
      if (bare.length < SECRET_LENGTH_MIN) return;
      forms.add(escapePattern(bare));
      if (/^(?:[0-9a-fA-F]{2})+$/.test(bare)) {
        const bytes = Buffer.from(bare, 'hex');
        forms.add(escapePattern(bytes.toString('base64')));
        forms.add(escapePattern(bytes.toString('base64url')));
      }
      pattern = new RegExp(`(?:0x)?(?:${[...forms].join('|')})`, 'gi');
    },
    scrub: (text) => (pattern === undefined ? text : text.replace(pattern, REDACTED)),
  };
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
