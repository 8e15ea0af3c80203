/** @module What of a machine and its files keeps a run from starting, as errors. */
import type { X509Certificate } from 'node:crypto';
import { BotError, ConfigError } from '../../../core/index.ts';

/** The first Node that has all that is used. */
export const NODE_MIN = '24.12';
/** Sockets, journal, tapes and log of a run take fewer. */
export const DESCRIPTORS_MIN = 64;

/** Production without a word. */
export function productionUnsaid(name: string): ConfigError {
  return new ConfigError({
    code: 'CONFIG_PRODUCTION_NOT_CONFIRMED',
    message: `expected --production on the command line for environment ${name}, which has production: true, got none`,
    remedy: 'Add --production to trade with real funds.',
  });
}

/** An authority whose certificate has expired. */
export function authorityExpired(file: string, { subject, validTo }: X509Certificate): ConfigError {
  return new ConfigError({
    code: 'CONFIG_CA_FILE_EXPIRED',
    message: `expected certificates that are valid in ${file} (environment.caFile), got ${subject}, which ended at ${validTo}`,
    remedy: 'Ask the operator of the gateway or of the network for the new one.',
  });
}

/** Another Node. */
export function nodeTooOld(version: string): BotError {
  return new BotError({
    code: 'PREFLIGHT_NODE_UNSUPPORTED',
    message: `expected Node ${NODE_MIN} or newer, got ${version}`,
    remedy: 'Install the Node that comes with `npm install`, or a newer one.',
  });
}

/** Too few files and sockets. */
export function descriptorsFew(open: number, most: number): BotError {
  return new BotError({
    code: 'PREFLIGHT_DESCRIPTORS_FEW',
    message: `expected at least ${DESCRIPTORS_MIN} file descriptors that are free, got ${most - open} (${open} of ${most} are open)`,
    remedy: 'Raise the limit: `ulimit -n 1024`, or LimitNOFILE of a systemd unit.',
  });
}

/** A disk below its reserve, MB. */
export function diskFull(folder: string, free: number, reserve: number): BotError {
  return new BotError({
    code: 'PREFLIGHT_DISK_FULL',
    message: `expected at least ${reserve} MB free in ${folder} (journal.minFreeDiskMb), got ${free} MB`,
    remedy: 'Free some space, or lower journal.minFreeDiskMb: below the reserve nothing is placed.',
  });
}

/** A file or folder that cannot be written; `key` names it. */
export function diskUnusable(path: string, key: string, why: string): BotError {
  return new BotError({
    code: 'PREFLIGHT_DISK_UNUSABLE',
    message: `expected ${path} (${key}) to be writable, but ${why}`,
    remedy: `Name another place as ${key}, or correct its rights.`,
  });
}
