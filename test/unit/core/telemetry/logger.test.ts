import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { secrets } from '../../../../src/core/index.ts';
import { createLog, createMetrics } from '../../../../src/core/telemetry/index.ts';

const KEY = `0x${'ab'.repeat(31)}cd`;

describe('createLog', () => {
  test('writes no secret, wherever it stands, into a file of mode 600', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ballast-log-'));
    const file = join(folder, 'deep', 'run.log');
    const log = createLog({ level: 'info', file, isPretty: false });
    secrets.add(KEY);
    log.info(`in a message ${KEY}`, {
      field: { deep: [KEY] },
      amount: 12n,
      error: new Error(`in an error ${KEY}`),
    });
    log.child({ from: KEY }).warn('in a child');
    log.debug('not said');
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(KEY.slice(2));
    expect(text.match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(4);
    expect(text).toContain('"amount":"12"');
    expect(text).not.toContain('not said');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    rmSync(folder, { recursive: true });
  });
});

describe('createMetrics', () => {
  test('counts, keeps the last gauge and sums up what it summaries', () => {
    const meter = createMetrics();
    meter.count('gateway_requests_unanswered_total');
    meter.count('gateway_requests_unanswered_total', 2);
    meter.gauge('grant_time_left_ms', 5);
    meter.gauge('grant_time_left_ms', 4);
    for (const value of [3, 1, 2]) meter.observe('gateway_write_duration_ms', value);
    const { counters, gauges, summaries } = meter.snapshot();
    expect(counters).toMatchObject({
      gateway_requests_unanswered_total: 3,
      gateway_requests_not_sent_total: 0,
    });
    expect({ gauges, summaries }).toEqual({
      gauges: { grant_time_left_ms: 4 },
      summaries: { gateway_write_duration_ms: { count: 3, sum: 6, min: 1, max: 3 } },
    });
  });
});
