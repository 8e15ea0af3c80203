/** docs/reference/control.md and scenarios.md out of the tables of actions and keys. */
import { CONTROL_ACTION_GROUPS, type ControlAction } from '../src/exchange/index.ts';
import * as keys from '../src/exchange/scenario/keys.ts';

/** The page without its last line. */
export function controlPage(): string[] {
  return [
    '# Control API of the embedded exchange\n',
    '`ballast sim` serves `/control` on its own port, for tests and for people: it does what a chain, an operator, a broken',
    'network or the clock would do to an exchange. It is not part of the interface or of its OpenAPI document. It answers only',
    'requests from this machine: another peer, an unexpected `host` or a page of another origin gets 403. `--no-control`',
    'switches it off.\n',
    '```sh',
    'curl -s http://127.0.0.1:8787/control                       # all actions with their parameters',
    'curl -s http://127.0.0.1:8787/control/state                 # state of the exchange',
    `curl -s -X POST http://127.0.0.1:8787/control/price -d '{"symbol": "BTC-USD", "price": "98000"}'`,
    '```\n',
    'An action is a POST to `/control/<action>` with its parameters as one JSON object; the answer is a JSON object. An unknown or',
    'invalid parameter ends in 400 `ControlInvalid`, and `error.details` names `field`, `expected` and `found`; an action that',
    'the state of the exchange forbids ends in 409 `ControlRefused`. Prices, sizes and amounts are decimal text. The control API',
    'uses no request budget. Scenarios use the same actions, as `action: <name>` with the parameters next to it, unless an action',
    'says otherwise.\n',
    ...Object.entries(CONTROL_ACTION_GROUPS).flatMap(([title, actions]) => [
      `## ${title}\n`,
      ...actions.flatMap(actionSection),
    ]),
    '## Kinds of faults\n',
    '| `kind` | Effect |',
    '|---|---|',
    ...Object.entries(FAULT_KINDS).map(([kind, what]) => `| \`${kind}\` | ${what} |`),
    '',
  ];
}

/** docs/reference/scenarios.md without its last line. */
export function scenarioPage(): string[] {
  const section = (title: string, about: string, table: ControlAction['parameters']): string[] => [
    `## ${title}\n`,
    `${about}\n`,
    '| Key | Expected | Default | Meaning |',
    '|---|---|---|---|',
    ...rowsOf(table),
    '',
  ];
  return [
    '# Scenarios of the embedded exchange\n',
    'A scenario is one YAML file with markets, accounts, other participants and timed events.',
    '`ballast sim --scenario configs/scenarios/crash.yaml` plays it. Time is that of the exchange: with `--clock manual` it',
    'moves only by `POST /control/advance`. Scalars are read as their literal text. Before anything starts, each event is tried',
    'on a separate exchange, and every error is reported with file, line and column, the expected and the found value.',
    '[configs/scenarios/](../../configs/scenarios) has examples.\n',
    '```yaml',
    'accounts:',
    '  - { name: maker, balance: 250000, apiWallets: 2 }',
    'events:',
    '  - { at: 30s, action: price, symbol: BTC-USD, price: 98000 }',
    '  - { at: 35s, action: fault, kind: dropResponse, times: 3 }',
    '  - { at: 60s, every: 60s, action: disconnect }',
    '```\n',
    ...section('File', 'All keys are optional.', keys.SCENARIO_KEYS),
    ...section('settings', 'Settings of the exchange.', keys.SETTINGS_KEYS),
    ...section('markets', 'Each item of the list.', keys.MARKET_KEYS),
    ...section('dexes', 'Each item of the list.', keys.DEX_KEYS),
    ...section(
      'feeTiers',
      'Each item of the list, numbered from 1; below the first tier an account pays the base rates.',
      keys.FEE_TIER_KEYS,
    ),
    ...section('accounts', 'Each item of the list. Name and seed decide the keys.', keys.ACCOUNT_KEYS),
    ...section('participants', 'Other participants.', keys.PARTICIPANT_KEYS),
    ...section(
      'events',
      'Each item of the list, with the parameters of its action ([control.md](control.md)).',
      {
        ...keys.EVENT_KEYS,
        action: {
          ...keys.EVENT_KEYS.action,
          type: { ...keys.EVENT_KEYS.action.type, expected: 'an action of control.md' },
        },
      },
    ),
  ];
}

function actionSection({ name, description, parameters, gives, isForScenarios }: ControlAction): string[] {
  const rows = rowsOf(parameters);
  return [
    `### ${name}\n`,
    `${description}${isForScenarios ? '' : ' Not in scenarios.'}\n`,
    ...(rows.length === 0
      ? []
      : ['| Parameter | Expected | Default | Meaning |', '|---|---|---|---|', ...rows, '']),
    ...(gives === 'nothing' ? [] : [`Gives ${gives}.\n`]),
  ];
}

function rowsOf(parameters: ControlAction['parameters']): string[] {
  return Object.entries(parameters).map(([key, { type, about, isRequired, preset }]) => {
    const fallback = isRequired ? '**required**' : (preset ?? '');
    return `| \`${key}\` | ${cell(type.expected)} | ${cell(fallback)} | ${cell(about)} |`;
  });
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

const FAULT_KINDS: Readonly<Record<string, string>> = {
  dropRequest: 'The request never arrives; the connection is cut.',
  dropResponse: 'The request is executed; the connection is cut in place of the answer.',
  deliverAfterTimeout: 'The connection is cut now; the request still arrives, `delay` later.',
  delayRequest: 'The request arrives `delay` later.',
  delayResponse: 'The answer is sent `delay` later.',
  deliverTwice: 'An intermediary delivers the request twice; the second answer is returned.',
  answer: 'The request is not executed; the answer is `status`, `headers`, `body`.',
  replaceResponse: 'The request is executed; the answer is still `status`, `headers`, `body`.',
  reject: 'A write is rejected with `reason`; its nonce is used up or not.',
  httpError:
    'The request is refused before the sequencer with `code`, `message`, `headers`, which may hold any form of `retry-after`.',
};
