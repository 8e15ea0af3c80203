/**
 * @module
 * Text from outside as a terminal may have it. A gateway, a recording or a plugin must not clear the screen, set its title,
 * forge a line or turn the order of letters around.
 */

/** Control, format (bidirectional ones among them) and separator characters, and halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** The same without the two that lay text out. */
const UNPRINTABLE_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * `text` with each character that is not seen as `\uXXXX`; line breaks and tabs stay. In a text of JSON, where such
 * characters stand in strings only, the value stays the same.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE_IN_LINES, escaped);
}

/** As {@link printable} for what must stay within one line. */
export function printableLine(text: string): string {
  return text.replace(UNPRINTABLE, escaped);
}

function escaped(character: string): string {
  let codes = '';
  for (let at = 0; at < character.length; at++)
    codes += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return codes;
}
