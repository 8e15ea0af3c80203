/** @module What a message is in the words of each kind of channel. */
import { formatJson, secrets, VERSION } from '../../core/index.ts';
import type { Severity } from '../operator/index.ts';
import { type Alert, type AlertSource, lineOf } from './alert.ts';

/** A channel with its secrets. */
export interface ChannelPlan {
  readonly name: string;
  readonly kind: 'webhook' | 'telegram' | 'slack' | 'discord';
  /** A secret: the address of a webhook, of Slack or of Discord; of Telegram its server. */
  readonly url: string;
  /** A secret; `undefined`: there is none. */
  readonly token: string | undefined;
  /** Of Telegram. */
  readonly chat: string | undefined;
  readonly minSeverity: Severity;
  readonly maxPerMinute: number;
}

/** A request, ready to be sent. */
export interface Post {
  readonly method: 'POST' | 'GET';
  /** A secret. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What one message carries. */
export interface Message {
  readonly source: AlertSource;
  readonly alerts: readonly Alert[];
  /** Alerts before these that no message will carry. */
  readonly dropped: number;
}

/** Longer text is cut: Discord takes 2,000 characters, Telegram 4,096. */
const CHARACTERS_MAX = 1_900;

/** The request that carries a message to a channel. */
export function postOf(plan: ChannelPlan, message: Message): Post {
  const headers = {
    'content-type': 'application/json',
    'user-agent': `ballast/${VERSION}`,
    ...(plan.kind === 'webhook' && plan.token !== undefined ? { authorization: `Bearer ${plan.token}` } : {}),
  };
  const url = plan.kind === 'telegram' ? `${plan.url}/bot${plan.token ?? ''}/sendMessage` : plan.url;
  // A strategy may throw what is a secret, and an exchange send it.
  const body = secrets.scrub(formatJson(documentOf(plan, message)));
  return { method: 'POST', url, headers, body };
}

function documentOf({ kind, chat }: ChannelPlan, message: Message): object {
  const text = textOf(message);
  switch (kind) {
    case 'webhook': {
      const { source, alerts, dropped } = message;
      return { schema: 1, source: 'ballast', run: source, text, alerts, dropped };
    }
    case 'telegram':
      // Without a parse mode the text is no markup.
      return { chat_id: chat ?? '', text, disable_web_page_preview: true };
    case 'slack':
      return { text: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') };
    case 'discord':
      // A name such as @everyone calls nobody.
      return { content: text, allowed_mentions: { parse: [] } };
  }
}

function textOf({ source, alerts, dropped }: Message): string {
  const { name, mode, environment, runId } = source;
  const lost = dropped === 0 ? [] : [`${dropped} alerts before these were dropped`];
  const lines = [`${name} (${mode}, ${environment}, run ${runId})`, ...alerts.map(lineOf), ...lost];
  const text = lines.join('\n');
  return text.length <= CHARACTERS_MAX ? text : `${text.slice(0, CHARACTERS_MAX)}…`;
}
