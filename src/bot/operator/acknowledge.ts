/** @module A person acknowledges alerts: they are not said again before they are over. */
import { actionRefused } from '../../core/index.ts';
import type { OperatedRun } from './ports.ts';
import { invalid } from './scope.ts';

/** Acknowledges one alert by its number, or all; gives their names. @throws BotError `CONTROL_INVALID`, `CONTROL_REFUSED`. */
export function acknowledge(
  run: OperatedRun,
  { alert, actor, reason }: { readonly alert: string; readonly actor: string; readonly reason: string },
): readonly string[] {
  if (alert !== 'all' && !/^[1-9][0-9]{0,8}$/.test(alert))
    throw invalid('alert', 'the number of an alert, or all', alert);
  const names = run.board?.acknowledge(alert === 'all' ? 'all' : Number(alert), actor) ?? [];
  if (names.length === 0)
    throw actionRefused(
      `expected an alert that is not over, got ${alert}`,
      '`ballast alerts` lists them with their numbers',
    );
  const atMs = run.clock.nowMs();
  const fields = { alerts: names, actor, reason };
  run.started()?.audit.record({ type: 'AlertAcknowledged', atMs, fields });
  return names;
}
