/**
 * @module
 * The last filter before a text leaves the process: known secret values are replaced wherever they are, also inside
 * messages and stacks, which path-based redaction misses. What stands where no key belongs and looks like one is a secret too.
 */

/** Registers secret values and removes them from text. */
interface Scrubber {
  /** Remembers `secret` in the forms it can appear in: with and without 0x, either case, base64, decimal, bytes. */
  add(secret: string): void;
  /** Remembers what looks like a private key in `text`, which comes from a place where no hash belongs. */
  addMisplaced(text: string): void;
  /** `text` with every known secret replaced. */
  scrub(text: string): string;
}

/** What replaces a secret. */
const REDACTED = '[redacted]';
/** What replaces a value in a wrong place. */
const MISPLACED = '[this looks like a private key]';

/** Secrets shorter than this would match by chance. */
const SECRET_LENGTH_MIN = 8;

/** 32 bytes as hexadecimal or decimal digits, a few of them perhaps lost or too many. */
const KEY_LIKE = /(?:0x)?[0-9a-f]{60,}/gi;

/** `text` with what looks like a private key replaced. For values that an error repeats, where no hash belongs. */
export function maskKeys(text: string): string {
  return text.replace(KEY_LIKE, MISPLACED);
}

/** True if `text` has 60 or more hexadecimal digits in a row. */
export function looksLikeKey(text: string): boolean {
  return text.search(KEY_LIKE) >= 0;
}

function createScrubber(): Scrubber {
  let pattern: RegExp | undefined;
  const known = new Map<string, string>();
  const learn = (secret: string, replacement: string): void => {
    for (const form of formsOf(secret)) known.set(form.toLowerCase(), replacement);
    // The longest first: a form may begin with another.
    const forms = [...known.keys()].sort((a, b) => b.length - a.length).map(escapePattern);
    pattern = new RegExp(`(?:0x)?(${forms.join('|')})`, 'gi');
  };
  return {
    add(secret) {
      if (bare(secret).length >= SECRET_LENGTH_MIN) learn(secret, REDACTED);
    },
    addMisplaced(text) {
      for (const [key] of text.matchAll(KEY_LIKE))
        if (!known.has(bare(key).toLowerCase())) learn(key, MISPLACED);
    },
    scrub: (text) =>
      pattern === undefined
        ? text
        : text.replace(pattern, (_match, form: string) => known.get(form.toLowerCase()) ?? REDACTED),
  };
}

/** The one scrubber of this process: what any part of it has loaded, no part may write. */
export const secrets: Scrubber = createScrubber();

function bare(secret: string): string {
  return /^0x/i.test(secret) ? secret.slice(2) : secret;
}

function formsOf(secret: string): readonly string[] {
  const text = bare(secret);
  const inJson = JSON.stringify(text).slice(1, -1);
  // 32 bytes as a number: leading zeros may be gone, and the other base may be shown.
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(text);
  const isDecimal = /^[0-9]{60,78}$/.test(text);
  const bytes = [
    ...(isHex ? [Buffer.from(text, 'hex')] : []),
    ...(isDecimal ? [Buffer.from(BigInt(text).toString(16).padStart(64, '0'), 'hex')] : []),
  ];
  return [text, inJson, ...bytes.flatMap(formsOfBytes)].filter((form) => form.length >= SECRET_LENGTH_MIN);
}

function formsOfBytes(bytes: Buffer): readonly string[] {
  const hex = bytes.toString('hex');
  const each = [...bytes];
  return [
    hex,
    hex.replace(/^0+/, ''),
    ...(bytes.length >= 24 ? [BigInt(`0x${hex}`).toString()] : []),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    hex.replaceAll(/..(?=.)/g, '$& '),
    each.join(','),
    each.join(', '),
  ];
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
