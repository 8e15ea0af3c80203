/**
 * @module
 * The rules that checks hold a gateway against, one sentence each. In brackets stands the contract id that the rule
 * belongs to (test/contract/rules.ts, docs/reference/contract.md).
 */

/** Rule by the id of its check: section and number. */
export const RULES = {
  'GW-ENV-1': 'The server tells its time as integer Unix milliseconds. (O11)',
  'GW-ENV-2': 'Server time does not run backwards. (O11)',
  'GW-ENV-3': '/v1/exchange tells chain, domain, tokens, version and numeric conventions. (O3)',
  'GW-ENV-4': 'The signing domain has a name, a version and a verifying contract. (O3)',
  'GW-ENV-5': 'The chain id of the domain is that of the environment. (O3)',
  'GW-ENV-6': 'Each token tells its decimals. (O9)',
  'GW-ENV-7': 'USDC has six decimals. (O9)',
  'GW-ENV-8': 'Reads need no credential and ask for none. (O13)',
  'GW-ENV-9': 'A path that is not of the interface is 404 with an error body. (GW-404)',
  'GW-ENV-10': 'Answers are JSON, errors too. (GW-ERROR)',
  'GW-ENV-11': 'The environment tells the same when it is asked again. (O5)',
  'GW-ENV-12': 'A method that a path does not offer is 404. (GW-404)',
  'GW-MARKET-1': 'Each market tells symbol, decimals, steps, signing id and status. (O4)',
  'GW-MARKET-2': 'The single market is the row of the table. (O4)',
  'GW-MARKET-3': 'No two markets have one symbol. (O44)',
  'GW-MARKET-4': 'No two markets have one signing id, and it fits 16 bits. (O44)',
  'GW-MARKET-5': 'Tick and lot are decimal text that their decimals can hold. (O8)',
  'GW-MARKET-6': 'Each market has a status. (O10)',
  'GW-MARKET-7': 'A market that does not exist is 404 on all its paths. (GW-404)',
  'GW-MARKET-8': 'Path segments are decoded. (O12)',
  'GW-MARKET-9': 'A change of a market’s status is told by the market. (O10)',
  'GW-DATA-1': 'The price snapshot has every market once. (O4)',
  'GW-DATA-2': 'Prices are decimal text or null. (O6)',
  'GW-DATA-3': 'A book names its symbol; bids fall, asks rise, no size is zero. (O6)',
  'GW-DATA-4': 'A book depth outside 1 to 100 is 400. (O111)',
  'GW-DATA-5': 'A book has at most as many levels as its depth, the best first. (O111)',
  'GW-DATA-6': 'Recent trades take a limit from 1 to 200. (O111)',
  'GW-DATA-7': 'Candles are there for each interval. (O111)',
  'GW-DATA-8': 'Candles without a known interval, or with a bad bound, are 400. (O111)',
  'GW-DATA-9': 'The fee schedule tells its base rates in parts per million. (O9)',
  'GW-DATA-10': 'Funding history is a list and takes a limit from 1 on. (O111)',
} as const satisfies Readonly<Record<string, string>>;

/** Id of a rule and of its check. */
export type RuleId = keyof typeof RULES;
