/** docs/reference/control.md out of the table of control verbs. */
import { VERB_GROUPS, type Verb } from '../src/simulator/index.ts';

/** The page without its last line. */
export function controlPage(): string[] {
  return [
    '# The control of the embedded exchange\n',
    '`ballast sim` serves `/control` on its own port, for tests and for people: what a chain, an operator, a broken network',
    'or time itself would do to an exchange. It is no part of the interface and stands in no OpenAPI document. It answers',
    'this machine alone: another peer, a foreign `host` and a page of another origin get 403. `--no-control` leaves it out.\n',
    '```sh',
    'curl -s http://127.0.0.1:8787/control                       # all verbs with their parameters',
    'curl -s http://127.0.0.1:8787/control/state                 # what the exchange is like now',
    `curl -s -X POST http://127.0.0.1:8787/control/price -d '{"symbol": "BTC-USD", "price": "98000"}'`,
    '```\n',
    'A verb is a POST to `/control/<verb>` with its parameters as one JSON object; the answer is a JSON object. An unknown or',
    'wrong parameter ends in 400 `ControlInvalid`, and `error.details` names `field`, `expected` and `found`; what the state of',
    'the exchange forbids ends in 409 `ControlRefused`. Prices, sizes and amounts are decimal text. Nothing here is charged to a',
    'request budget. The same verbs stand in scenarios, `do: <verb>` with the parameters beside it, where the table says so.\n',
    ...Object.entries(VERB_GROUPS).flatMap(([title, verbs]) => [
      `## ${title}\n`,
      ...verbs.flatMap(verbSection),
    ]),
    '## Kinds of faults\n',
    '| `kind` | What happens |',
    '|---|---|',
    ...Object.entries(FAULT_KINDS).map(([kind, what]) => `| \`${kind}\` | ${what} |`),
    '',
  ];
}

function verbSection({ name, about, parameters, gives, isForScenarios }: Verb): string[] {
  const rows = Object.entries(parameters).map(([key, { type, about: meaning, isRequired, preset }]) => {
    const fallback = isRequired ? '**required**' : (preset ?? '');
    return `| \`${key}\` | ${cell(type.expected)} | ${cell(fallback)} | ${cell(meaning)} |`;
  });
  return [
    `### ${name}\n`,
    `${about}${isForScenarios ? '' : ' Not in scenarios.'}\n`,
    ...(rows.length === 0
      ? []
      : ['| Parameter | Expected | Default | Meaning |', '|---|---|---|---|', ...rows, '']),
    ...(gives === 'nothing' ? [] : [`Gives ${gives}.\n`]),
  ];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

const FAULT_KINDS: Readonly<Record<string, string>> = {
  loseRequest: 'It never arrives; the connection is cut.',
  loseAnswer: 'It is executed; the connection is cut in place of the answer.',
  arriveAfterLoss: 'The connection is cut now; the request arrives `delay` later all the same.',
  delayRequest: 'It arrives `delay` later.',
  delayAnswer: 'Its answer leaves `delay` later.',
  deliverTwice: 'An intermediary delivers it twice; the second answer is given.',
  answer: 'It is not executed; the answer is `status`, `headers`, `body`.',
  replaceAnswer: 'It is executed; the answer is `status`, `headers`, `body` all the same.',
  reject: 'A write is rejected with `reason`, with its nonce spent or not.',
  refuse:
    'It is refused at the door with `code`, `message`, `headers`; give `retry-after` in any of its forms there.',
};
