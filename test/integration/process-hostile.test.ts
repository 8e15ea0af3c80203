/** A few scenarios of `npm run prove -- hostile`: real processes with a hostile proxy between them. */
import { expect, test } from 'vitest';
import { runHostile } from '../support/hostile/judge.ts';
import { SCENARIOS } from '../support/hostile/scenarios.ts';

const NAMES = ['doubled-fills', 'lost-answers', 'reset-all', 'bot'];

test.skipIf(process.platform !== 'linux')(
  'a bot heals behind a hostile gateway, and has in its journal what the exchange has',
  async () => {
    const judged = await runHostile(
      SCENARIOS.filter(({ name }) => NAMES.includes(name)),
      { seed: 3 },
    );
    expect(judged.map(({ name }) => name)).toEqual(NAMES);
    // How soon is measured where nothing else runs.
    for (const one of judged) expect(one.healedS, `${one.name}: ${one.verdict}`).not.toBeNull();
  },
);
