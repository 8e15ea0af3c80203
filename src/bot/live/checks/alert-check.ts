/** @module Whether people can be told: the files with the secrets of the channels and of the heartbeat. */
import { alertPlanOf } from '../output/run-alerts.ts';
import { type Check, fine, skipped } from './check.ts';

/** See the module. */
export const ALERT_CHECK: Check = {
  id: 'alerts',
  looksAt:
    'the secret files of alert channels and heartbeat: whether they are there, their rights, what they hold',
  refuses: 'one is not there, others may read it, or it holds no URL or no token',
  remedy: 'Write the secret, and nothing else, into the file with mode 600; `ballast alerts test` sends one.',
  codes: ['CONFIG_ALERT_SECRET_'],
  ...{ by: 'list', needs: 'machine' },
  look: ({ options: { source } }) => {
    const { environment } = source.config;
    const asked = { runId: '', name: '', mode: 'live', environment: environment.name } as const;
    const plan = alertPlanOf(source.config, asked);
    if (plan === undefined) return skipped('the configuration names no channel and no heartbeat');
    const names = plan.channels.map(({ name, kind }) => `${name} (${kind})`);
    return fine([...names, ...(plan.heartbeat === undefined ? [] : ['heartbeat'])].join(', '));
  },
};
