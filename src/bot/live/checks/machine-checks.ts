/** @module Checks of this machine and its files: what can be said before any connection. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder, messageOf, PRIVATE_FOLDER } from '../../../core/index.ts';
import { tryDoorPort } from '../../operator/index.ts';
import {
  describeOperatorStructs,
  loadConfiguredCrypto,
  operatorStructs,
  prepareStrategies,
} from '../../setup/index.ts';
import { readAuthorities } from '../connect/route.ts';
import { loadWallets } from '../connect/wallets.ts';
import { refuseDebugger } from '../debugger.ts';
import { type Check, fine, skipped, warned } from './check.ts';
import { commitMs } from './commit-speed.ts';
import type { Examination } from './examination.ts';
import {
  authorityExpired,
  DESCRIPTORS_MIN,
  descriptorsFew,
  diskFull,
  diskUnusable,
  NODE_MIN,
  nodeTooOld,
  productionUnsaid,
} from './machine-refusals.ts';
import { examineSigner } from './signer-check.ts';

/** Memory below which a run is likely to be ended by the system. */
const MEMORY_MB_WARN = 256;
/** The 99th percentile of durable commits above which a disk is called slow. */
const COMMIT_MS_WARN = 20;
const MB = 1024 * 1024;

/** They are made in this order. */
export const MACHINE_CHECKS: readonly Check[] = [
  {
    id: 'production',
    looksAt: 'whether the environment is production, and whether that was meant',
    refuses: '`environment.production` is true and `--production` is not said',
    remedy: 'Add `--production` to trade with real funds.',
    codes: ['CONFIG_PRODUCTION_NOT_CONFIRMED'],
    ...{ by: 'list', needs: 'machine' },
    look: ({ options: { source, said } }) => {
      const { production, name } = source.config.environment;
      if (production && !said.production) throw productionUnsaid(name);
      return fine(
        production ? `${name} is production, and --production is said` : `${name} is not production`,
      );
    },
  },
  {
    id: 'node',
    looksAt: 'the version of Node',
    refuses: `it is older than ${NODE_MIN}`,
    remedy: 'Install the Node that comes with `npm install`, or a newer one.',
    codes: ['PREFLIGHT_NODE_UNSUPPORTED'],
    ...{ by: 'list', needs: 'machine' },
    look: ({ options: { host } }) => {
      if (isOlder(host.nodeVersion, NODE_MIN)) throw nodeTooOld(host.nodeVersion);
      return fine(`v${host.nodeVersion}, at least ${NODE_MIN} is needed`);
    },
  },
  {
    id: 'strategies',
    looksAt: 'whether each strategy loads, is the reviewed code and takes its parameters',
    refuses: 'one does not',
    remedy: 'The message names file, line and parameter.',
    codes: ['STRATEGY_'],
    ...{ by: 'start', needs: 'machine' },
    look: async ({ options: { source } }) => {
      const strategies = await prepareStrategies(source);
      return fine(`${strategies.length} loaded, parameters good`);
    },
  },
  {
    id: 'signing',
    looksAt: 'the back ends that compute signatures',
    refuses: 'the one that `environment.signingBackend` names does not work here, or none does',
    remedy: 'Install the optional packages for faster signatures, or choose auto.',
    codes: ['CRYPTO_BACKEND_'],
    ...{ by: 'start', needs: 'machine' },
    look: async (at) => {
      at.opened.crypto = await loadConfiguredCrypto(at.options.source);
      const { signer, skipped: passed } = at.opened.crypto;
      if (passed.length === 0) return fine(signer);
      return warned(
        `${signer}; not used: ${passed.map(({ name, reason }) => `${name} (${reason})`).join(', ')}`,
        'Install the optional packages for faster signatures.',
      );
    },
  },
  {
    id: 'structs',
    looksAt: "the signed structs of the operator's document (`environment.openapiFile`)",
    refuses: 'the document cannot be used',
    remedy: 'The message names the write and what is wrong with its type.',
    codes: ['CONFIG_DOCUMENT_'],
    ...{ by: 'start', needs: 'machine' },
    look: ({ options: { source } }) =>
      source.config.environment.openapiFile === undefined
        ? skipped('environment.openapiFile is not set')
        : fine(describeOperatorStructs(operatorStructs(source))),
  },
  {
    id: 'descriptors',
    looksAt: 'how many files and sockets this process may still open',
    refuses: `fewer than ${DESCRIPTORS_MIN} are left`,
    remedy: 'Raise the limit: `ulimit -n 1024`, or LimitNOFILE of a systemd unit.',
    codes: ['PREFLIGHT_DESCRIPTORS_FEW'],
    ...{ by: 'list', needs: 'machine' },
    look: ({ options: { host } }) => {
      const found = host.descriptors();
      if (found === undefined) return skipped('the system does not say');
      const { open, most } = found;
      if (most - open < DESCRIPTORS_MIN) throw descriptorsFew(open, most);
      return fine(`${open} of ${most} are open`);
    },
  },
  {
    id: 'memory',
    looksAt: 'the memory that this process may still take',
    refuses: '',
    remedy: `Free some: below ${MEMORY_MB_WARN} MB the system may end a run.`,
    codes: [],
    ...{ by: 'list', needs: 'machine' },
    look: ({ options: { host } }) => {
      const free = Math.floor(host.availableBytes() / MB);
      if (free >= MEMORY_MB_WARN) return fine(`${free} MB are free`);
      return warned(
        `${free} MB are free, ${MEMORY_MB_WARN} MB are wanted`,
        'Free some: the system may end a run.',
      );
    },
  },
  {
    id: 'disk',
    looksAt: 'the disk of the journal: whether it can be written, its free space and its reserve',
    refuses: 'it cannot be written, or less is free than `journal.minFreeDiskMb`',
    remedy: 'Free some space, or lower `journal.minFreeDiskMb`: below the reserve nothing is placed.',
    codes: ['PREFLIGHT_DISK_'],
    ...{ by: 'list', needs: 'machine' },
    look: (at) => {
      const { folder, minFreeDiskMb } = at.options.source.config.journal;
      const free = freeMegabytes(at, folder, 'journal.folder');
      if (free < minFreeDiskMb) throw diskFull(folder, free, minFreeDiskMb);
      return fine(`${free} MB free in ${folder}, the reserve is ${minFreeDiskMb} MB`);
    },
  },
  {
    id: 'commits',
    looksAt: 'how long a durable commit takes on the disk of the journal',
    refuses: '',
    remedy: `Each order waits for one commit: above ${COMMIT_MS_WARN} ms put journal.folder on a faster disk.`,
    codes: [],
    ...{ by: 'doctor', needs: 'machine' },
    look: async (at) => {
      at.needs(['disk'], 'the disk of the journal cannot be used');
      const { folder } = at.options.source.config.journal;
      const p99 = await commitMs(at.options.clock, folder);
      const detail = `durable commit p99 ${p99.toFixed(1)} ms in ${folder}`;
      if (p99 <= COMMIT_MS_WARN) return fine(detail);
      return warned(detail, 'Each order waits for one commit: put journal.folder on a faster disk.');
    },
  },
  {
    id: 'tape disk',
    looksAt: 'the disk of recordings and records (`record.folder`)',
    refuses: 'it cannot be written',
    remedy: 'Free some space, or set `record.enabled: false`: a full disk ends a recording, never a run.',
    codes: ['PREFLIGHT_DISK_'],
    ...{ by: 'list', needs: 'machine' },
    look: (at) => {
      const { record, journal } = at.options.source.config;
      if (!record.enabled) return skipped('record.enabled is false');
      const free = freeMegabytes(at, record.folder, 'record.folder');
      const detail = `${free} MB free in ${record.folder}`;
      if (free >= journal.minFreeDiskMb) return fine(detail);
      return warned(
        detail,
        'Free some space: a full disk ends the recording, and the run goes on without it.',
      );
    },
  },
  {
    id: 'log disk',
    looksAt: 'the file of the log (`log.file`) and its disk',
    refuses: 'the file cannot be written',
    remedy: 'Name another file as log.file: lines that cannot be written are lost.',
    codes: ['CONFIG_LOG_FILE_UNUSABLE', 'PREFLIGHT_DISK_'],
    ...{ by: 'list', needs: 'machine' },
    look: (at) => {
      const { log, journal } = at.options.source.config;
      if (log.file === undefined) return skipped('log.file is not set: the log goes to standard error');
      const free = freeMegabytes(at, dirname(log.file), 'log.file');
      refuseUnwritable(log.file);
      const detail = `${free} MB free for ${log.file}`;
      if (free >= journal.minFreeDiskMb) return fine(detail);
      return warned(detail, 'Free some space: lines that cannot be written are lost.');
    },
  },
  {
    id: 'tls',
    looksAt: 'whether the gateway is spoken to over TLS, and the certificates of `environment.caFile`',
    refuses: 'the file has no certificates, or one has expired',
    remedy: 'Name the file that the operator of the gateway or of the network gave you.',
    codes: ['CONFIG_CA_FILE_'],
    ...{ by: 'list', needs: 'machine' },
    look: ({ options: { source, clock } }) => {
      const { baseUrl, caFile } = source.config.environment;
      if (caFile !== undefined) {
        const { certificates } = readAuthorities(caFile);
        const expired = certificates.find(({ validToDate }) => validToDate.getTime() < clock.nowMs());
        if (expired !== undefined) throw authorityExpired(caFile, expired);
        return fine(certificates.map(({ subject, validTo }) => `${subject} until ${validTo}`).join(', '));
      }
      if (baseUrl === undefined) return skipped('environment.baseUrl is not set');
      return fine(
        baseUrl.startsWith('https:') ? 'TLS, by the authorities that Node knows' : `${baseUrl} has no TLS`,
      );
    },
  },
  {
    id: 'feeds',
    looksAt: 'the files of feeds',
    refuses: '',
    remedy: 'Write the file: until it is there its feed has no values.',
    codes: [],
    ...{ by: 'list', needs: 'machine' },
    look: ({ options: { source } }) => {
      const { feeds } = source.config;
      if (feeds.length === 0) return skipped('the configuration names no feeds');
      const absent = feeds.filter(({ file }) => file !== undefined && !existsSync(file));
      if (absent.length === 0) return fine(feeds.map(({ name, kind }) => `${name} (${kind})`).join(', '));
      return warned(
        `no file yet for ${absent.map(({ name, file }) => `${name} (${file})`).join(', ')}`,
        'Write the file: until it is there its feed has no values.',
      );
    },
  },
  {
    id: 'door',
    looksAt: 'the port at which a person reaches the run (`operator.port`)',
    refuses: 'another process has it',
    remedy: 'Set `operator.port` to 0 or to a free port.',
    codes: ['CONFIG_PORT_IN_USE'],
    ...{ by: 'start', needs: 'machine' },
    look: async ({ options: { source } }) => {
      const { operator, record } = source.config;
      if (!operator.enabled || !record.enabled)
        return skipped('a run without operator or record has no door');
      if (operator.port === 0) return fine('any free port');
      await tryDoorPort(operator.port);
      return fine(`port ${operator.port} is free`);
    },
  },
  {
    id: 'debugger',
    looksAt: 'whether a debugger can look into this process, which holds keys',
    refuses: 'one is open, or Node was started with an option that opens one',
    remedy: 'Start it without the inspect option of Node, also in NODE_OPTIONS.',
    codes: ['PREFLIGHT_DEBUGGER_OPEN'],
    ...{ by: 'start', needs: 'machine' },
    look: () => {
      refuseDebugger();
      return fine('none is open');
    },
  },
  {
    id: 'keys',
    looksAt: 'the keys of the wallets: files, rights, passwords, and whose keys they are',
    refuses: 'one cannot be read or others may read it, is that of the main wallet, or serves two wallets',
    remedy: 'Make API wallets with `ballast keys new`; the main key stays away from this machine.',
    codes: [
      'CONFIG_SIGNER_',
      'CONFIG_KEY_FILE_',
      'CONFIG_WALLET_',
      'CONFIG_PASSWORD_FILE_',
      'CRYPTO_KEYSTORE_',
      'CRYPTO_SECRET_KEY_',
    ],
    ...{ by: 'start', needs: 'machine' },
    look: async (at) => {
      const { config } = at.options.source;
      if (config.wallets.length === 0) return skipped('the configuration names no wallets');
      at.opened.wallets = await loadWallets(config, at.crypto, at.options);
      return fine(at.wallets.map(({ name, role, key }) => `${name} (${role}) ${key.address}`).join(', '));
    },
  },
  {
    id: 'signer',
    looksAt: 'how long a signature of a key in another process takes (`wallets[].signer`)',
    refuses: '',
    remedy: 'Bring the signer nearer, or give the wallet a key file: each order waits for its signature.',
    codes: [],
    ...{ by: 'doctor', needs: 'machine', ofEachWallet: true },
    look: examineSigner,
  },
  {
    id: 'safety wallet',
    looksAt: 'whether a wallet of role safety is there',
    refuses: '',
    remedy:
      'Add one: without it cancels and the switch wait for a write of the first wallet that is unresolved.',
    codes: [],
    ...{ by: 'list', needs: 'machine' },
    look: ({ options: { source } }) => {
      const { wallets } = source.config;
      if (wallets.length === 0) return skipped('the configuration names no wallets');
      const safety = wallets.find(({ role }) => role === 'safety');
      if (safety !== undefined) return fine(safety.name);
      return warned(
        `none of ${wallets.length} wallets is of role safety`,
        'Add one: without it cancels and the switch wait for a write of the first wallet that is unresolved.',
      );
    },
  },
];

function isOlder(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

/** Makes a folder where there is none, and gives the free space of its disk. */
function freeMegabytes({ options: { host } }: Examination, folder: string, key: string): number {
  try {
    makeFolder(folder, PRIVATE_FOLDER);
    if (host.isWritable(folder)) return Math.floor(host.freeBytes(folder) / MB);
  } catch (cause) {
    throw diskUnusable(folder, key, messageOf(cause));
  }
  throw diskUnusable(folder, key, 'files cannot be made in it');
}

function refuseUnwritable(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch (cause) {
    throw diskUnusable(file, 'log.file', messageOf(cause));
  }
}
