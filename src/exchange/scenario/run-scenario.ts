/**
 * @module A scenario on an exchange: its accounts are made at once, its events happen at their times on the exchange's
 * clock. A scenario can be tried beforehand, on a hidden exchange, so that a symbol or a name that is not there is
 * found with its location before anything starts.
 */
import { BotError, seededRandom, type Timer, VirtualClock } from '../../core/index.ts';
import type { Crypto } from '../../wire/crypto/index.ts';
import { type ExchangeControl, runControlAction } from '../control/index.ts';
import { Exchange } from '../kernel/index.ts';
import type { ExchangeSettings } from '../state/index.ts';
import { invalidScenario } from './read.ts';
import type { Scenario, ScenarioEvent } from './scenario.ts';

/** Hears of an event that the exchange refused when its time had come. */
export type ScenarioListener = (event: ScenarioEvent, thrown: unknown) => void;

/** Settings of the exchange of a scenario. */
export function scenarioSettings({ settings, markets }: Scenario): Partial<ExchangeSettings> {
  return { ...settings, ...(markets === undefined ? {} : { markets }) };
}

/** Makes the accounts and sees to it that the events happen; `cancel` ends that. Call it when the exchange begins. */
export function runScenario(
  control: ExchangeControl,
  scenario: Scenario,
  onRefused: ScenarioListener,
): Timer {
  makeAccounts(control, scenario);
  const { clock } = control.parts;
  const timers = new Set<Timer>();
  for (const event of scenario.events) {
    let timesLeft = event.repeat;
    const plan = (delayMs: number): void => {
      const timer = clock.after(delayMs, () => {
        timers.delete(timer);
        timesLeft--;
        if (event.everyMs !== undefined && timesLeft > 0) plan(event.everyMs);
        runControlAction(control, event.name, event.input).catch((thrown: unknown) =>
          onRefused(event, thrown),
        );
      });
      timers.add(timer);
    };
    plan(event.atMs);
  }
  return {
    cancel: () => {
      for (const timer of timers) timer.cancel();
      timers.clear();
    },
  };
}

function makeAccounts(control: ExchangeControl, { accounts = [] }: Scenario): void {
  for (const account of accounts) control.account(account);
}

/**
 * Tries every event once, in order of time. @throws ConfigError `SCENARIO_INVALID` with the location of each that
 * fails.
 */
export async function checkScenario(scenario: Scenario, crypto: Crypto): Promise<void> {
  const clock = new VirtualClock(scenario.startMs ?? 0);
  const settings = scenarioSettings(scenario);
  const { control } = new Exchange({ clock, random: seededRandom(0), crypto, settings });
  const findings: string[] = [];
  const attempt = async (place: string, act: () => unknown): Promise<void> => {
    try {
      await act();
    } catch (thrown) {
      if (!(thrown instanceof BotError)) throw thrown;
      // What the exchange refuses in this state it may do in another.
      if (thrown.code === 'CONTROL_INVALID') findings.push(`${place}: ${thrown.message}`);
    }
  };
  await attempt('accounts', () => makeAccounts(control, scenario));
  for (const event of scenario.events.toSorted((a, b) => a.atMs - b.atMs))
    await attempt(event.place, () => runControlAction(control, event.name, event.input));
  if (findings.length > 0) throw invalidScenario(findings);
}
