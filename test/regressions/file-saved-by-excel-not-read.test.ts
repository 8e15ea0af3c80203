/**
 * A file as Excel and Windows write it (a byte order mark, semicolons, `sep=`, quotes, CRLF) was an error of every import,
 * whose message showed the same text twice.
 */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { importText, tradesMapping } from '../support/import-text.ts';

const AT = 1_767_657_600_000;
const LINES = [
  'time,price,qty,side,id',
  ...Array.from(
    { length: 40 },
    (_, at) => `${AT + at * 1_000},100.${at % 7},0.5,${at % 2 ? 'buy' : 'sell'},${at + 1}`,
  ),
];
const PLAIN = `${LINES.join('\n')}\n`;

const rowsFor = async (content: string | Uint8Array, more = '', name = 't.csv') => {
  const { rows, error } = await importText('csv', { [name]: content }, { mapping: tradesMapping(more) });
  return error === '' ? rows : error;
};

describe('trades of a CSV file are the same', () => {
  const quotedCells = LINES.map((line) =>
    line
      .split(',')
      .map((cell) => `"${cell}"`)
      .join(','),
  );
  const packed = Buffer.concat([
    gzipSync(LINES.slice(0, 9).join('\n')),
    gzipSync(`\n${LINES.slice(9).join('\n')}`),
  ]);
  test.each<readonly [string, string | Uint8Array, { readonly more?: string; readonly name?: string }]>([
    ['behind a byte order mark', `\uFEFF${PLAIN}`, {}],
    ['with blanks around names and cells', PLAIN.replaceAll(',', ' ,\t'), {}],
    ['after empty lines', `\n \n,,,,\n${PLAIN}`, {}],
    ['with CRLF', PLAIN.replaceAll('\n', '\r\n'), {}],
    ['with CR alone', PLAIN.replaceAll('\n', '\r'), {}],
    ['without a last line break', PLAIN.trimEnd(), {}],
    ['in quotes', quotedCells.join('\r\n'), {}],
    ['in quotes from some line on', [...LINES.slice(0, 20), ...quotedCells.slice(20)].join('\n'), {}],
    ['with semicolons that the mapping names', PLAIN.replaceAll(',', ';'), { more: 'separator: ;' }],
    ['with semicolons that only the header shows', PLAIN.replaceAll(',', ';'), {}],
    ['with tabs', PLAIN.replaceAll(',', '\t'), {}],
    ['with a first line that names the separator', `\uFEFFsep=;\r\n${PLAIN.replaceAll(',', ';')}`, {}],
    ['packed under a plain name', gzipSync(PLAIN), {}],
    ['packed in two parts', packed, { name: 't.csv.gz' }],
    ['plain under a packed name', PLAIN, { name: 't.csv.gz' }],
  ])('%s', async (_what, content, { more, name }) => {
    const expected = await rowsFor(PLAIN);
    expect(expected).toHaveLength(40);
    expect(await rowsFor(content, more, name)).toEqual(expected);
  });

  test('with a note of several lines in a column that nobody reads', async () => {
    const noted = LINES.map((line, at) => `${line},${at === 0 ? 'note' : `"a ""note"", of\nrow ${at}\n"`}`);
    expect(await rowsFor(noted.join('\n'))).toEqual(await rowsFor(PLAIN));
    noted[21] = noted[21]?.replace(',0.5,', ',half,') ?? '';
    // Each row with a note has three lines.
    expect(await rowsFor(noted.join('\n'))).toMatch(
      /a size of 0 or more with at most 1 decimals at .*t.csv:62, column qty, got "half"/,
    );
  });
});

describe('a file that is no CSV in UTF-8 is refused by name', () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(PLAIN, 'utf16le')]);
  test.each<readonly [string, string | Uint8Array, RegExp]>([
    ['UTF-16', utf16, /expected text in UTF-8 at .*t.csv:1, got UTF-16; .*iconv/],
    [
      'UTF-16 without a mark',
      Buffer.from(PLAIN, 'utf16le'),
      /expected text at .*t.csv:1, got a byte of zero/,
    ],
    [
      'a zip archive',
      Buffer.from('PK\x03\x04 and more'),
      /got a zip archive; Unpack it, and name the file inside/,
    ],
    [
      'zeros at the end',
      `${PLAIN}${'\0'.repeat(500)}`,
      /expected text at .*t.csv:42, got a byte of zero; .*not written/,
    ],
    ['nothing', '', /expected a header at .*t.csv:1, got an empty file/],
    [
      'a quote within a cell',
      PLAIN.replace(',buy,', ',b"uy,'),
      /cells in whole double quotes.* at .*t.csv:3, got /,
    ],
    [
      'a quote that stays open',
      PLAIN.replace(',buy,', ',"buy,'),
      /cells in whole double quotes.*Quote Not Closed/,
    ],
    [
      'a decimal comma',
      PLAIN.replaceAll(',', ';').replaceAll('.', ','),
      /column price, got "100,0"; .*with a point, not a comma/,
    ],
    [
      'a row with a cell too many',
      PLAIN.replace(',buy,', ',buy,,'),
      /expected 5 columns at .*t.csv:3, got 6/,
    ],
    [
      'two columns of one name',
      PLAIN.replace('time,price', 'time,price,price'),
      /expected one column price at .*:1, got several/,
    ],
  ])('%s', async (_what, content, words) => {
    expect(await rowsFor(content)).toMatch(words);
  });
});

test('a byte order mark before files of fixed columns is left out', async () => {
  const candles = 'ts_ms,open,high,low,close,volume\n1735689600000,100,101,99,100,5\n';
  const { rows } = await importText('binance-candles', { 'BTCUSDT_1m.csv': `\uFEFF\r\n${candles}` });
  expect(rows).toHaveLength(4);
  const feed = await importText('feed', { 'mood.jsonl': '\uFEFF\r\n{"atMs":1735689600000,"value":1}\r\n' });
  expect(feed.rows).toHaveLength(1);
});
