/** @module What is wrong with a line of the command line, with the name that is meant, taken from the help of its command. */
import { nearestName } from '../../core/index.ts';

/** See the module. */
export interface UsageProblem {
  readonly problem: string;
  /** True if a name that exists is named, so that no help is needed. */
  readonly isMeant: boolean;
}

/** `message` of the parser beside the help of the command that it is about, and the words that were given. */
export function usageProblem(message: string, help: string, given: readonly string[]): UsageProblem {
  const [usage = ''] = help.split('\n');
  const command = /^ballast(?: [a-z][\w-]*)*/.exec(usage)?.[0] ?? 'ballast';
  const seeHelp = `\`${command} --help\` lists what there is.`;
  const [, name] = /^Did you mean (\S+)\?$/.exec(message) ?? [];
  if (name !== undefined) {
    // The parser takes three wrong letters for a misspelling, also in a word of three.
    const word = given[command.split(' ').length - 1] ?? '';
    const isLike = word.length > 3 || nearestName([name], word) !== undefined;
    if (!isLike) return { problem: 'expected a known command', isMeant: false };
    return {
      problem: `expected a known command, got ${word}; did you mean ${name}?\n${seeHelp}`,
      isMeant: true,
    };
  }
  const [, unknown = ''] = /^expected a known command or option, got (\S+)$/.exec(message) ?? [];
  const options = [...help.matchAll(/^ +--([\w-]+)/gm)].map(([, option = '']) => option);
  const nearest = unknown === '' ? undefined : nearestName(options, unknown);
  if (nearest !== undefined)
    return { problem: `${message}; did you mean --${nearest}?\n${seeHelp}`, isMeant: true };
  if (/^got \d+ arguments, expected/.test(message))
    return { problem: `${message}: ${usage}`, isMeant: false };
  return { problem: message, isMeant: false };
}
