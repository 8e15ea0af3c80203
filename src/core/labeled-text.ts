/** @module A label and a text in two columns, as reports print them on a terminal. */

/** Columns of a terminal that reports are made for. */
const COLUMNS = 80;

/**
 * `text` after its `label`, wrapped to lines of 80 columns unless others are given: after a comma or semicolon in the second half of a line,
 * else between words. Further lines begin below the text, at column `indent`.
 * @example labeledText('fills', '16 (8 buy, 8 sell)', 10) // 'fills     16 (8 buy, 8 sell)'
 */
export function labeledText(label: string, text: string, indent: number, columns = COLUMNS): string {
  const most = columns - indent;
  const line = new RegExp(`.{1,${most}}$|.{${most >> 1},${most - 1}}[,;] |.{1,${most}} |[^ ]+ ?`, 'g');
  const lines = text.match(line) ?? [''];
  return lines.map((part, at) => `${(at === 0 ? label : '').padEnd(indent)}${part.trimEnd()}`).join('\n');
}

/** A narrower terminal wraps lines on its own. */
const COLUMNS_MIN = 40;

/** `text` with each line that is longer than `columns` wrapped below its own beginning, as {@link labeledText} does. */
export function wrapLines(text: string, columns: number): string {
  if (columns < COLUMNS_MIN) return text;
  return text
    .split('\n')
    .map((line) => {
      const words = line.trimStart();
      const indent = line.length - words.length;
      return line.length <= columns || indent > columns / 2 ? line : labeledText('', words, indent, columns);
    })
    .join('\n');
}
