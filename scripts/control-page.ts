/** docs/reference/control.md and scenarios.md out of the tables of actions and keys. */
import { CONTROL_ACTION_GROUPS, type ControlAction } from '../src/exchange/index.ts';
import * as keys from '../src/exchange/scenario/keys.ts';

/** The page without its last line. */
export function controlPage(): string[] {
  return [
    '# The control of the embedded exchange\n',
    '`ballast sim` serves `/control` on its own port, for tests and for people: what a chain, an operator, a broken network',
    'or time itself would do to an exchange. It is no part of the interface and stands in no OpenAPI document. It answers',
    'this machine alone: another peer, a foreign `host` and a page of another origin get 403. `--no-control` leaves it out.\n',
    '```sh',
    'curl -s http://127.0.0.1:8787/control                       # all actions with their parameters',
    'curl -s http://127.0.0.1:8787/control/state                 # what the exchange is like now',
    `curl -s -X POST http://127.0.0.1:8787/control/price -d '{"symbol": "BTC-USD", "price": "98000"}'`,
    '```\n',
    'An action is a POST to `/control/<action>` with its parameters as one JSON object; the answer is a JSON object. An unknown or',
    'wrong parameter ends in 400 `ControlInvalid`, and `error.details` names `field`, `expected` and `found`; what the state of',
    'the exchange forbids ends in 409 `ControlRefused`. Prices, sizes and amounts are decimal text. Nothing here is charged to a',
    'request budget. The same actions stand in scenarios, `action: <name>` with the parameters beside it, where the table says so.\n',
    ...Object.entries(CONTROL_ACTION_GROUPS).flatMap(([title, actions]) => [
      `## ${title}\n`,
      ...actions.flatMap(actionSection),
    ]),
    '## Kinds of faults\n',
    '| `kind` | What happens |',
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
    'A scenario is one YAML file: markets, accounts, who else trades, and what happens when.',
    '`ballast sim --scenario configs/scenarios/crash.yaml` plays it; time is that of the exchange, so with `--clock manual`',
    'it happens as fast as `POST /control/advance` asks. Scalars are read as the text that stands there. Everything that is',
    'wrong is named with file, line and column, what was expected and what was found, before anything starts: each event is',
    'tried on an exchange that nobody sees. [configs/scenarios/](../../configs/scenarios) has some to start from.\n',
    '```yaml',
    'accounts:',
    '  - { name: maker, balance: 250000, apiWallets: 2 }',
    'events:',
    '  - { at: 30s, action: price, symbol: BTC-USD, price: 98000 }',
    '  - { at: 35s, action: fault, kind: dropResponse, times: 3 }',
    '  - { at: 60s, every: 60s, action: disconnect }',
    '```\n',
    ...section('The file', 'All of them may be left out.', keys.SCENARIO_KEYS),
    ...section('settings', 'Settings of the exchange.', keys.SETTINGS_KEYS),
    ...section('markets', 'Each item of the list.', keys.MARKET_KEYS),
    ...section('dexes', 'Each item of the list.', keys.DEX_KEYS),
    ...section(
      'feeTiers',
      'Each item of the list, numbered from 1; below the first everybody pays the base rates.',
      keys.FEE_TIER_KEYS,
    ),
    ...section('accounts', 'Each item of the list. Name and seed decide the keys.', keys.ACCOUNT_KEYS),
    ...section('participants', 'Who else trades.', keys.PARTICIPANT_KEYS),
    ...section(
      'events',
      'Each item of the list; the parameters of its action stand beside these ([control.md](control.md)).',
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
  dropRequest: 'It never arrives; the connection is cut.',
  dropResponse: 'It is executed; the connection is cut in place of the answer.',
  deliverAfterTimeout: 'The connection is cut now; the request arrives `delay` later all the same.',
  delayRequest: 'It arrives `delay` later.',
  delayResponse: 'Its answer leaves `delay` later.',
  deliverTwice: 'An intermediary delivers it twice; the second answer is given.',
  answer: 'It is not executed; the answer is `status`, `headers`, `body`.',
  replaceResponse: 'It is executed; the answer is `status`, `headers`, `body` all the same.',
  reject: 'A write is rejected with `reason`, with its nonce spent or not.',
  httpError:
    'It is refused at the door with `code`, `message`, `headers`; give `retry-after` in any of its forms there.',
};
