/**
 * @module
 * Names each test that passed only at its second try (vitest.config.ts says which tests have one), with the error of the
 * first, so that no unsteady test hides behind a green line.
 */
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** A reporter of vitest: prints its lines when all tests have ended. */
export default class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const unsteady = modules.flatMap((module) =>
      Array.from(module.children.allTests()).filter((test) => test.diagnostic()?.flaky === true),
    );
    for (const test of unsteady) process.stdout.write(`passed at the second try: ${nameOf(test)}\n`);
  }
}

function nameOf(test: TestCase): string {
  const [first] = test.result().errors ?? [];
  const why = first === undefined ? '' : `: ${first.message.split('\n', 1)[0]}`;
  return `${test.module.relativeModuleId} > ${test.fullName}${why}`;
}
