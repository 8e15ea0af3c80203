/**
 * @module
 * The same answers and frames as exchanges give them that name things otherwise or say less (ambiguity A20). Done on the
 * finished text, before the JSON types of numbers are chosen: who makes an answer knows one set of names. Both values say no
 * more than is needed: the position of a read is in its header, an order that has ended is its number and its end, and what
 * can be computed is left out. `sdk` has other names, too.
 */
import { isRecord } from '../../../core/index.ts';
import type { ExchangeAnswer } from '../rest/answer.ts';

type Fields = Record<string, unknown>;

/** Turns finished answers and frames into those of the exchange that `names` stands for. */
export interface NameForm {
  answer(answer: ExchangeAnswer): ExchangeAnswer;
  frame(text: string): string;
}

/** Channels whose frames differ; books and trades, which are most of all, are handed on as they are. */
const FRAMES = /^\{"channel":"(?:subscribed|orders|positions|account|fills|ledger)"/;
/** What entries, positions and accounts leave out. */
const LEFT_OUT = {
  entry: ['seq', 'sub', 'idx', 'counterOrderId'],
  position: ['unrealizedPnl', 'initialMarginPpm'],
  account: ['accountId', 'balances'],
} as const;

/** `seqHeader`: the name of the header that has the position of a read. */
export function nameForm(names: 'sdk' | 'thin', seqHeader: string): NameForm {
  const isSdk = names === 'sdk';
  return {
    answer(answer) {
      const value: unknown = answer.body.startsWith('{') ? JSON.parse(answer.body) : undefined;
      if (!isRecord(value)) return answer;
      const { seq } = value;
      const isAtSeq = isAccount(value) || Array.isArray(value['orders']) || Array.isArray(value['positions']);
      if (isSdk) rename(value);
      thin(value);
      if (!isAtSeq || seq === undefined) return { ...answer, body: JSON.stringify(value) };
      delete value['seq'];
      const headers = { ...answer.headers, [seqHeader]: String(seq) };
      return { ...answer, headers, body: JSON.stringify(value) };
    },
    frame(text) {
      if (!FRAMES.test(text)) return text;
      const frame = JSON.parse(text) as Fields;
      const data = fieldsOf(frame, 'data');
      switch (frame['channel']) {
        case 'subscribed':
          if (isSdk) {
            data['epoch'] = frame['epoch'];
            delete frame['epoch'];
          }
          break;
        case 'orders':
          if (frame['isSnapshot'] !== true && data['status'] !== 'open')
            frame['data'] = { orderId: data['orderId'], status: data['status'] };
          break;
        case 'fills':
        case 'ledger':
          omit(data, LEFT_OUT.entry);
          break;
        default:
          thin(data);
      }
      return JSON.stringify(frame);
    },
  };
}

/** Leaves out of an answer what is not needed. */
function thin(value: Fields): void {
  if (isAccount(value)) omit(value, LEFT_OUT.account);
  for (const position of listOf(value, 'positions')) omit(position, LEFT_OUT.position);
  for (const name of ['data', 'fills', 'entries'])
    if (typeof value['hasMore'] === 'boolean')
      for (const entry of listOf(value, name)) omit(entry, LEFT_OUT.entry);
}

function rename(value: Fields): void {
  if (typeof value['hasMore'] === 'boolean' && Array.isArray(value['data']))
    move(value, 'data', listName(value));
  if (typeof value['requestId'] === 'string' && value['status'] === 'executed') value['status'] = 'ok';
  const version = value['version'];
  if (value['chainId'] !== undefined && isRecord(version)) {
    value['codecVer'] = version['codecVersion'];
    move(version, 'codecVersion', 'codec_ver');
  }
  for (const grant of listOf(value, 'grants')) {
    grant['master'] = grant['accountId'];
    omit(grant, ['account', 'subaccount', 'accountId']);
  }
}

/** Each history has its own name for its list. */
function listName(page: Fields): string {
  const [first] = listOf(page, 'data');
  if (first?.['role'] !== undefined) return 'fills';
  return first?.['data'] === undefined ? 'entries' : 'events';
}

function isAccount(value: Fields): boolean {
  return value['collateral'] !== undefined && value['equity'] !== undefined;
}

function move(fields: Fields, from: string, to: string): void {
  fields[to] = fields[from];
  delete fields[from];
}

function omit(fields: Fields, names: readonly string[]): void {
  for (const name of names) delete fields[name];
}

function fieldsOf(fields: Fields, name: string): Fields {
  const value = fields[name];
  return isRecord(value) ? value : {};
}

function listOf(fields: Fields, name: string): readonly Fields[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
