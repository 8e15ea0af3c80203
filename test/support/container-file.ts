/** Reads a container file: one step a word, with lines that go on joined. */

/** One step. */
export interface Step {
  readonly word: string;
  readonly text: string;
}

const WORDS = [
  ...['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'STOPSIGNAL'],
  ...['HEALTHCHECK', 'ENTRYPOINT', 'CMD', 'ADD', 'MAINTAINER', 'LABEL', 'ARG'],
];

/** The steps of a container file. */
export function containerSteps(text: string): readonly Step[] {
  return text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [word = '', ...rest] = line.split(' ');
      if (!WORDS.includes(word)) throw new Error(`expected a step of a container file, got ${line}`);
      return { word, text: rest.join(' ') };
    });
}
