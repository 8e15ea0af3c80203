/**
 * @module The only module that reads the process environment. Secrets never come from it: only the names of files do.
 */

/** What the environment may say. */
export interface Environment {
  /** `NO_COLOR` is set. */
  readonly isColorless: boolean;
  /** Started by an npm script: npm does not hand SIGTERM on, so its end must be watched for. */
  readonly isUnderNpm: boolean;
  /** `BALLAST_STATE_HOME`, else `XDG_STATE_HOME`, else undefined: the folder of the locks of nonce scopes. */
  readonly stateHome: string | undefined;
  /** `CI` is set. */
  readonly isCi: boolean;
  /** `NODE_OPTIONS`, or nothing. */
  readonly nodeOptions: string;
  /** `BALLAST_LAUNCHER_FD`, which the launcher sets: the descriptor on which it waits for a guardian. */
  readonly launcherFd: number | undefined;
}

/** Reads the environment of this process. */
export function readEnvironment(): Environment {
  const { env } = process;
  return {
    isColorless: (env['NO_COLOR'] ?? '') !== '',
    isUnderNpm: (env['npm_lifecycle_event'] ?? '') !== '',
    stateHome: env['BALLAST_STATE_HOME'] ?? env['XDG_STATE_HOME'],
    isCi: (env['CI'] ?? '') !== '',
    nodeOptions: env['NODE_OPTIONS'] ?? '',
    launcherFd: /^[0-9]{1,4}$/.test(env['BALLAST_LAUNCHER_FD'] ?? '')
      ? Number(env['BALLAST_LAUNCHER_FD'])
      : undefined,
  };
}
