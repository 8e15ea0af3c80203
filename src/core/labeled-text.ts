/** @module A label and a text in two columns, as reports print them on a terminal. */

/** Columns of a terminal that reports are made for. */
const COLUMNS = 80;

/**
 * `text` after its `label`, wrapped to lines of 80 columns: after a comma or semicolon in the second half of a line,
 * else between words. Further lines begin below the text, at column `indent`.
 * @example labeledText('fills', '16 (8 buy, 8 sell)', 10) // 'fills     16 (8 buy, 8 sell)'
 */
export function labeledText(label: string, text: string, indent: number): string {
  const most = COLUMNS - indent;
  const line = new RegExp(`.{1,${most}}$|.{${most >> 1},${most - 1}}[,;] |.{1,${most}} |[^ ]+ ?`, 'g');
  const lines = text.match(line) ?? [''];
  return lines.map((part, at) => `${(at === 0 ? label : '').padEnd(indent)}${part.trimEnd()}`).join('\n');
}
