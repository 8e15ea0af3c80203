/** @module A scenario that passed every check: what an exchange is made of, who trades there, what happens when. */
import type { VenueMarket } from '../engine/index.ts';
import type { SyntheticParticipantsSettings } from '../flow/index.ts';
import type { ExchangeSettings } from '../state/index.ts';

/** Something that happens at a time. */
export interface ScenarioEvent {
  /** From the start on. */
  readonly atMs: number;
  /** The action. */
  readonly name: string;
  /** Action and parameters, not checked yet. */
  readonly input: Readonly<Record<string, unknown>>;
  /** `undefined`: once. */
  readonly everyMs: number | undefined;
  /** Number of times that the action runs. */
  readonly repeat: number;
  /** `file:line:column`. */
  readonly place: string;
}

/** An account with money. */
export interface ScenarioAccount {
  /** Unique name. */
  readonly name: string;
  /** Initial collateral as decimal text. */
  readonly balance: string;
  /** Number of API wallets to approve. */
  readonly apiWallets: number;
}

/** A scenario. */
export interface Scenario {
  /** Unique name. */
  readonly name: string;
  /** One sentence about the scenario. */
  readonly description: string;
  /** Random seed; `undefined`: one is drawn. */
  readonly seed: number | undefined;
  /** Unix ms. */
  readonly startMs: number | undefined;
  /** Settings that differ from the defaults. */
  readonly settings: Partial<ExchangeSettings>;
  /** Markets; `undefined`: the default ones. */
  readonly markets: readonly VenueMarket[] | undefined;
  /** `undefined`: as many as the command line says. */
  readonly accounts: readonly ScenarioAccount[] | undefined;
  /** `undefined`: no other participants. */
  readonly participants: Partial<SyntheticParticipantsSettings> | undefined;
  /** Actions in order of time. */
  readonly events: readonly ScenarioEvent[];
}
