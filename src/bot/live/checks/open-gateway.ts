/** @module Opens the connection that the checks of a gateway share. */
import { BotError, seededRandom, silentMeter } from '../../../core/index.ts';
import { operatorStructs } from '../../setup/index.ts';
import { openEnvironment } from '../connect/environment.ts';
import { routeOf } from '../connect/route.ts';
import { type CheckFinding, fine, skipped } from './check.ts';
import type { Examination } from './examination.ts';

/** Opens it, where the configuration names one. @throws BotError `PREFLIGHT_UNREACHABLE`. */
export async function openGateway(at: Examination): Promise<CheckFinding> {
  const { source, clock, log } = at.options;
  const { baseUrl, headerPrefix } = source.config.environment;
  const { crypto } = at;
  if (baseUrl === undefined)
    return skipped('environment.baseUrl is not set: mode sim starts its own exchange');
  const fromMs = clock.monotonicMs();
  try {
    at.opened.environment = await openEnvironment({
      ...{ baseUrl, headerPrefix, clock, log, crypto },
      random: seededRandom('doctor'),
      meter: silentMeter,
      structs: operatorStructs(source).structs,
      route: routeOf(source.config.environment),
    });
  } catch (thrown) {
    // It answers, and what it says is the next check.
    if (!(thrown instanceof BotError) || !thrown.code.startsWith('PREFLIGHT_CODEC_')) throw thrown;
    at.opened.refusedDomain = thrown;
  }
  return fine(
    `${baseUrl} answers, ${Math.round(clock.monotonicMs() - fromMs)} ms for domain, markets and time`,
  );
}
