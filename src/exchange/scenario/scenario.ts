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
  readonly input: Readonly<Record<string, unknown>>;
  /** `undefined`: once. */
  readonly everyMs: number | undefined;
  readonly repeat: number;
  /** `file:line:column`. */
  readonly place: string;
}

/** An account with money. */
export interface ScenarioAccount {
  readonly name: string;
  readonly balance: string;
  readonly apiWallets: number;
}

/** A scenario. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  readonly seed: number | undefined;
  /** Unix ms. */
  readonly startMs: number | undefined;
  readonly settings: Partial<ExchangeSettings>;
  readonly markets: readonly VenueMarket[] | undefined;
  /** `undefined`: as many as the command line says. */
  readonly accounts: readonly ScenarioAccount[] | undefined;
  /** `undefined`: no other participants. */
  readonly participants: Partial<SyntheticParticipantsSettings> | undefined;
  readonly events: readonly ScenarioEvent[];
}
