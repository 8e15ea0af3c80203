/** @module What checks ask of this machine: its Node, disks, memory and file descriptors. A test stands in for it. */
import { accessSync, constants, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { availableMemory } from 'node:process';

/** A machine. */
export interface Host {
  /** Version of Node, without a v. */
  readonly nodeVersion: string;
  /** Free bytes of the disk of a folder. @throws what the system says of the folder. */
  freeBytes(folder: string): number;
  /** Whether files may be made in a folder. */
  isWritable(folder: string): boolean;
  /** Memory that this process may still take, in bytes. */
  availableBytes(): number;
  /** File descriptors that are open, and how many may be; `undefined`: the system does not say. */
  descriptors(): { readonly open: number; readonly most: number } | undefined;
}

/** The machine that this process runs on. */
export const thisHost: Host = {
  nodeVersion: process.versions.node,
  freeBytes: (folder) => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  },
  isWritable: (folder) => {
    try {
      accessSync(folder, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  },
  availableBytes: () => availableMemory(),
  descriptors: () => {
    try {
      const most = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
      if (most === undefined) return undefined;
      return { open: readdirSync('/proc/self/fd').length, most: Number(most) };
    } catch {
      return undefined;
    }
  },
};
