import { describe, expect, test } from 'vitest';
import { columns } from '../../../../src/cli/terminal/columns.ts';

describe('columns', () => {
  test('are as wide as their widest cell', () => {
    expect(
      columns([
        ['a', 'price'],
        ['bb', '1.5'],
      ]),
    ).toBe('a   price\nbb  1.5');
    expect(columns([])).toBe('');
  });

  test('wrap the last cell of a row below itself, at most 80 columns wide', () => {
    const many = Array.from({ length: 40 }, (_none, at) => `limit${at} ${at}`);
    const lines = columns([
      ['run', 'one'],
      ['strategy', many.join(', ')],
    ]).split('\n');
    expect(lines[0]).toBe('run       one');
    expect(lines.every((line) => line.length <= 80)).toBe(true);
    expect(lines.slice(2).every((line) => line.startsWith('          limit'))).toBe(true);
    expect(
      lines
        .slice(1)
        .map((line) => line.slice(10))
        .join(' '),
    ).toBe(many.join(', '));
  });

  test('put a last cell without room in lines of its own', () => {
    const lines = columns([
      ['NAME', 'WHAT'],
      ['n'.repeat(70), 'a text that is longer than what is left of the line'],
      ['short', 'a text'],
    ]).split('\n');
    expect(lines).toEqual([
      `NAME${' '.repeat(68)}WHAT`,
      'n'.repeat(70),
      '    a text that is longer than what is left of the line',
      `short${' '.repeat(67)}a text`,
    ]);
  });

  test('break no word, such as a path, however long', () => {
    const path = `/tmp/${'x'.repeat(90)}`;
    expect(columns([['run', `first, ${path}`]])).toBe(`run  first,\n     ${path}`);
  });
});
