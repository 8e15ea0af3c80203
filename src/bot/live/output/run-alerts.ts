/** @module Who is told of a run, with the secrets of the channels, which only their files hold. */
import { type Config, readKeyFile } from '../../../config/index.ts';
import { ConfigError, secrets } from '../../../core/index.ts';
import type { AlertPlan, ChannelPlan } from '../../alerts/index.ts';

/**
 * The plan of the section `alerts`; `undefined`: nobody is told. @throws ConfigError `CONFIG_KEY_FILE_UNSAFE`,
 * `CONFIG_ALERT_SECRET_UNREADABLE`, `CONFIG_ALERT_SECRET_INVALID`.
 */
export function alertPlanOf(config: Config, source: AlertPlan['source']): AlertPlan | undefined {
  const { channels, heartbeat, staleMarket, repeat, summary } = config.alerts;
  if (channels.length === 0 && heartbeat === undefined) return undefined;
  return {
    source,
    channels: channels.map(channelOf),
    heartbeat:
      heartbeat === undefined
        ? undefined
        : { url: readUrl(heartbeat.urlFile), intervalMs: heartbeat.interval },
    ...{ staleMarketMs: staleMarket, repeatMs: repeat, hasSummary: summary },
  };
}

function channelOf(channel: Config['alerts']['channels'][number]): ChannelPlan {
  const { name, kind, urlFile, tokenFile, chat, apiUrl, minSeverity, maxPerMinute } = channel;
  return {
    ...{ name, kind, chat, minSeverity, maxPerMinute },
    url: urlFile === undefined ? apiUrl : readUrl(urlFile),
    token: tokenFile === undefined ? undefined : readToken(tokenFile, kind),
  };
}

function readUrl(file: string): string {
  const text = readSecret(file);
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw invalid(file, 'an http or https URL');
  // A message of a library may name a part of it.
  for (const part of [url.href, url.password, ...url.pathname.split('/'), url.search])
    if (part.length >= SECRET_PART_MIN) secrets.add(part);
  return text;
}

function readToken(file: string, kind: ChannelPlan['kind']): string {
  const text = readSecret(file);
  if (kind === 'telegram' && !/^[0-9]{3,20}:[\w-]{6,200}$/.test(text))
    throw invalid(file, 'the token of a Telegram bot, digits:letters');
  if (!/^[\x21-\x7e]{8,500}$/.test(text)) throw invalid(file, 'a token of one line without blanks');
  return text;
}

/** A shorter part of a URL is a word, such as `services`. */
const SECRET_PART_MIN = 16;

function readSecret(file: string): string {
  try {
    return readKeyFile(file);
  } catch (cause) {
    if (!(cause instanceof ConfigError) || cause.code !== 'CONFIG_KEY_FILE_UNREADABLE') throw cause;
    throw new ConfigError({
      code: 'CONFIG_ALERT_SECRET_UNREADABLE',
      message: cause.message.replace('a key file', 'a file with the secret of a channel'),
      remedy: 'Write it there with mode 600, or correct the section alerts. Links are not followed.',
      cause,
    });
  }
}

function invalid(file: string, expected: string): ConfigError {
  return new ConfigError({
    code: 'CONFIG_ALERT_SECRET_INVALID',
    message: `expected ${expected} in ${file}, got something else`,
    remedy: 'Put nothing else into the file.',
  });
}
