/** @module What an examination found, as text of 80 columns and as a document. */
import type { ScenarioResult } from './examine.ts';
import type { LoadedSubject } from './subjects.ts';

const COLUMNS = 80;
const NAME_WIDTH = 24;
const MS_PER_S = 1_000;

/** A strategy that was examined, with how each scenario went. */
export interface ExamResult extends Pick<LoadedSubject, 'subject' | 'file' | 'sha256'> {
  readonly results: readonly ScenarioResult[];
}

/** What the document says of one strategy. */
export interface ExamDocument {
  readonly name: string;
  readonly strategy: string;
  readonly file: string;
  readonly sha256: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly markets: readonly string[];
  readonly passed: number;
  readonly of: number;
  /** The share that passed, from 0 to 1. */
  readonly score: number;
  readonly scenarios: readonly {
    readonly name: string;
    readonly group: string;
    readonly summary: string;
    readonly isPassed: boolean;
    /** Of one that it did not pass: the event that broke it, what was expected there, what was seen. */
    readonly event?: { readonly number: number; readonly atMs: number; readonly text: string };
    readonly expected?: string;
    readonly got?: string;
  }[];
}

/** How many scenarios were passed. */
export function passedOf({ results }: Pick<ExamResult, 'results'>): number {
  return results.filter(({ finding }) => finding === undefined).length;
}

/** The document of one strategy. */
export function examDocument(exam: ExamResult): ExamDocument {
  const { subject, file, sha256, results } = exam;
  const passed = passedOf(exam);
  return {
    ...{ name: subject.name, strategy: subject.definition.name, file, sha256 },
    ...{ parameters: subject.parameters, markets: subject.symbols, passed, of: results.length },
    score: results.length === 0 ? 1 : passed / results.length,
    scenarios: results.map(({ scenario: { name, group, summary }, finding }) => ({
      ...{ name, group, summary, isPassed: finding === undefined },
      ...finding,
    })),
  };
}

/** The table of one strategy: a line each scenario, and below one that it did not pass what broke it. */
export function describeExam(exam: ExamResult): string {
  const { subject, results } = exam;
  const given = Object.entries(subject.parameters).map(([name, value]) => `${name} ${String(value)}`);
  const passed = passedOf(exam);
  return [
    ...wrapped(`${subject.name}: ${subject.definition.name} on ${subject.symbols.join(', ')}`, ''),
    ...(given.length === 0 ? [] : wrapped(`with ${given.join(', ')}`, '  ')),
    ...results.flatMap(linesOf),
    `${passed} of ${results.length} scenarios passed`,
  ].join('\n');
}

/** The scenarios that were not passed, in lines. */
export function describeFindings(results: readonly ScenarioResult[]): string {
  return results
    .filter(({ finding }) => finding !== undefined)
    .flatMap(linesOf)
    .join('\n');
}

function linesOf({ scenario, finding }: ScenarioResult): readonly string[] {
  const { name, summary } = scenario;
  const head = `  ${finding === undefined ? 'pass' : 'FAIL'}  ${name.padEnd(NAME_WIDTH)}${summary}`;
  if (finding === undefined) return [head];
  const { number, atMs, text } = finding.event;
  return [
    head,
    ...wrapped(`event ${number} at ${(atMs / MS_PER_S).toFixed(3)} s: ${text}`, '        '),
    ...wrapped(`expected ${finding.expected}`, '        '),
    ...wrapped(`got ${finding.got}`, '        '),
  ];
}

/** `text` in lines of 80 columns, those after the first further in. */
function wrapped(text: string, indent: string): readonly string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(/\s+/)) {
    if (line.trim() !== '' && line.length + word.length + 1 > COLUMNS) {
      lines.push(line);
      line = `${indent}  `;
    }
    line += `${line.trim() === '' ? '' : ' '}${word}`;
    for (; line.length > COLUMNS; line = `${indent}  ${line.slice(COLUMNS)}`)
      lines.push(line.slice(0, COLUMNS));
  }
  return [...lines, line];
}
