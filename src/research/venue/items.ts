/** @module What a command names, item by item. */
import type { Command, OrderRef, OrderSpec } from '../../domain/index.ts';

const NO_REFS: readonly OrderRef[] = [];
const NO_SPECS: readonly OrderSpec[] = [];

/** The orders that a command places. */
export function placesOf(command: Command): readonly OrderSpec[] {
  return command.kind === 'place' || command.kind === 'replace' ? command.orders : NO_SPECS;
}

/** The orders that a command cancels by name. */
export function cancelsOf(command: Command): readonly OrderRef[] {
  if (command.kind === 'replace') return command.cancels;
  return command.kind === 'cancel' ? command.orders : NO_REFS;
}
