/** @module A run as text for people, as JSON, and as JUnit XML for build servers. */
import { sectionOf } from './check.ts';
import type { CheckReport, SuiteReport } from './suite.ts';

/** One line per section, and for each check that failed its rule with what was expected and found. */
export function textReport({ checks, passed, failed, skipped }: SuiteReport): string {
  const lines: string[] = [];
  for (const [section, group] of Map.groupBy(checks, ({ id }) => sectionOf(id))) {
    lines.push(`${section.padEnd(16)} ${countsOf(group)}`);
    for (const { id, rule, result, detail } of group)
      if (result === 'failed') lines.push(`  ${id}  ${rule}`, `      ${detail}`);
  }
  const why = Map.groupBy(
    checks.filter(({ result }) => result === 'skipped'),
    ({ detail }) => detail,
  );
  for (const [detail, group] of why) lines.push(`${group.length} skipped: ${detail}`);
  lines.push(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return lines.join('\n');
}

function countsOf(group: readonly CheckReport[]): string {
  const parts = (['passed', 'failed', 'skipped'] as const).flatMap((result) => {
    const count = group.filter((check) => check.result === result).length;
    return count === 0 ? [] : [`${count} ${result}`];
  });
  return parts.join(', ');
}

/** The document of `--json`: without times, so that two runs can be compared. */
export function jsonReport({ passed, failed, skipped, checks }: SuiteReport): object {
  return {
    passed,
    failed,
    skipped,
    checks: checks.map(({ id, rule, result, detail }) => ({ id, rule, result, detail })),
  };
}

/** JUnit XML: one suite per section. */
export function junitReport({ checks, failed, skipped }: SuiteReport): string {
  const suites = [...Map.groupBy(checks, ({ id }) => sectionOf(id))].map(([section, group]) => {
    const cases = group.map(junitCase).join('\n');
    const bad = group.filter(({ result }) => result === 'failed').length;
    const left = group.filter(({ result }) => result === 'skipped').length;
    return `  <testsuite name="${section}" tests="${group.length}" failures="${bad}" skipped="${left}">\n${cases}\n  </testsuite>`;
  });
  const head = `<testsuites name="conformance" tests="${checks.length}" failures="${failed}" skipped="${skipped}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${suites.join('\n')}\n</testsuites>\n`;
}

function junitCase({ id, rule, result, detail, ms }: CheckReport): string {
  const head = `    <testcase classname="${sectionOf(id)}" name="${escaped(`${id} ${rule}`)}" time="${ms / 1_000}"`;
  if (result === 'passed') return `${head}/>`;
  const body =
    result === 'failed'
      ? `<failure message="${escaped(rule)}">${escaped(detail)}</failure>`
      : `<skipped message="${escaped(detail)}"/>`;
  return `${head}>${body}</testcase>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/\p{Cc}/gu, ' ');
}
