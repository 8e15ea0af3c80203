import { describe, expect, test } from 'vitest';
import { labeledText, wrapLines } from '../../../src/core/index.ts';

describe('labeled text', () => {
  test('that fits is one line', () => {
    expect(labeledText('fills', '16 (8 buy, 8 sell)', 10)).toBe('fills     16 (8 buy, 8 sell)');
    expect(labeledText('fills', '', 10)).toBe('fills     ');
    expect(labeledText('x', 'a'.repeat(70), 10)).toBe(`x         ${'a'.repeat(70)}`);
  });

  test('is broken after the last comma of a full line, and continues below the text', () => {
    const parts = Array.from({ length: 9 }, (_none, at) => `part number ${at}`);
    const lines = labeledText('parts', parts.join(', '), 10).split('\n');
    expect(lines).toEqual([
      'parts     part number 0, part number 1, part number 2, part number 3,',
      '          part number 4, part number 5, part number 6, part number 7,',
      '          part number 8',
    ]);
  });

  test('without commas is broken between words; a word longer than a line stays whole', () => {
    const word = 'w'.repeat(90);
    expect(labeledText('a', `one ${word} two`, 4)).toBe(`a   one\n    ${word}\n    two`);
    const text = Array.from({ length: 40 }, (_none, at) => `word${at}`).join(' ');
    const lines = labeledText('a', text, 4).split('\n');
    expect(lines.every((line) => line.length <= 80)).toBe(true);
    expect(lines.map((line) => line.slice(4)).join(' ')).toBe(text);
  });
});

describe('lines of a terminal', () => {
  const text = `ballast: CODE: ${'word '.repeat(30).trim()}\n  remedy: ${'a, '.repeat(40)}end\n\nshort`;

  test('that are longer than it go on below their own beginning', () => {
    const lines = wrapLines(text, 60).split('\n');
    expect(lines.every((line) => line.length <= 60)).toBe(true);
    expect(lines.filter((line) => line.startsWith('  ')).length).toBeGreaterThan(1);
    expect(lines.slice(-2)).toEqual(['', 'short']);
    expect(lines.join(' ').replace(/\s+/g, ' ')).toBe(text.replace(/\s+/g, ' '));
  });

  test('that fit stay as they are, also those of tables; a narrow terminal wraps on its own', () => {
    expect(wrapLines('a    b   c\n   d', 60)).toBe('a    b   c\n   d');
    expect(wrapLines(text, 20)).toBe(text);
  });
});
