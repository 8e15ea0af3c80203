/**
 * @module
 * What machines ask a run: its metrics as Prometheus reads them, whether it lives, whether it is ready. All is found when it
 * is asked for, in the state that the run has; nothing is kept for it.
 */
import { METRICS, type Metric } from '../../core/index.ts';
import { DOOR_METRICS, METRIC_PREFIX } from './door-metrics.ts';
import type { RunView } from './ports.ts';
import { notReady } from './problems.ts';

/** What a probe answers. */
export interface ProbeAnswer {
  readonly status: 200 | 503;
  /** The media type. */
  readonly type: string;
  readonly text: string;
}

/** One probe: a path without parameters. */
export interface Probe {
  /** As in its path. */
  readonly name: 'metrics' | 'healthz' | 'readyz';
  /** A sentence. */
  readonly description: string;
  answer(view: RunView): Promise<ProbeAnswer>;
}

/** All probes. */
export const PROBES: readonly Probe[] = [
  {
    name: 'metrics',
    description: 'The metrics of the run in the text format of Prometheus.',
    answer: async (view) => {
      const { text, type } = await exposition(view);
      return { status: 200, type, text };
    },
  },
  {
    name: 'healthz',
    description:
      'Whether the process lives: 200 while its loop turns and its limits are looked after, else 503.',
    answer: async ({ status }) => {
      const tick = status?.health.items.find(({ id }) => id === 'H3');
      const why = tick === undefined || tick.isHealthy ? [] : [`${tick.id}: ${tick.reason}`];
      return json(why, { isAlive: why.length === 0 });
    },
  },
  {
    name: 'readyz',
    description: 'Whether the run is as good as it can be: 200, else 503 with the reasons.',
    answer: async (view) => {
      const reasons = notReady(view);
      return json(reasons, { isReady: reasons.length === 0, state: view.status?.state ?? 'starting' });
    },
  },
];

function json(reasons: readonly unknown[], rest: object): ProbeAnswer {
  const status = reasons.length === 0 ? 200 : 503;
  const document = { ...rest, reasons };
  return { status, type: 'application/json; charset=utf-8', text: `${JSON.stringify(document)}\n` };
}

/** All metrics of a run as text. A registry for each asking: its values are those of this moment, and of no former one. */
async function exposition(view: RunView): Promise<{ readonly text: string; readonly type: string }> {
  const { Counter, Gauge, Registry } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  for (const [name, { kind, labels, meaning, of }] of Object.entries(DOOR_METRICS)) {
    const options = { name: `${METRIC_PREFIX}${name}`, help: meaning, labelNames: labels, registers };
    const metric = kind === 'counter' ? new Counter(options) : new Gauge(options);
    for (const [value, ...values] of of(view)) {
      const amount = Number(value);
      if (value !== undefined && Number.isFinite(amount)) metric.labels(...values).inc(amount);
    }
  }
  const counted = view.figures?.counted();
  for (const [name, { kind, meaning }] of Object.entries<Metric>(METRICS)) {
    const own = { name: `${METRIC_PREFIX}${name}`, help: meaning, registers };
    if (kind === 'counter') new Counter(own).inc(counted?.counters[name] ?? 0);
    const gauge = counted?.gauges[name];
    if (kind === 'gauge' && gauge !== undefined) new Gauge(own).set(gauge);
    if (kind !== 'summary') continue;
    const { count, sum, max } = counted?.summaries[name] ?? { count: 0, sum: 0, max: 0 };
    new Counter({ ...own, name: `${own.name}_count`, help: `${meaning} How many.` }).inc(count);
    new Counter({ ...own, name: `${own.name}_sum`, help: `${meaning} Their sum.` }).inc(sum);
    new Gauge({ ...own, name: `${own.name}_max`, help: `${meaning} The greatest since the start.` }).set(max);
  }
  return { text: await registry.metrics(), type: registry.contentType };
}

/** The names under which a counted metric is given. */
export function givenNames(name: string, kind: Metric['kind']): readonly string[] {
  const own = `${METRIC_PREFIX}${name}`;
  return kind === 'summary' ? [`${own}_count`, `${own}_sum`, `${own}_max`] : [own];
}
