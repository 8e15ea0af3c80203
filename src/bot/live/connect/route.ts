/** @module How the gateway of a configuration is reached: certificates (`environment.caFile`), an outgoing proxy, and where its streams are (`environment.wsUrl`). */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '../../../config/index.ts';
import { ConfigError, messageOf } from '../../../core/index.ts';
import type { NetworkRoute } from '../../../wire/gateway/index.ts';

export type { NetworkRoute };

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** The route of a configuration; `undefined`: straight. @throws ConfigError `CONFIG_CA_FILE_UNUSABLE`. */
export function routeOf({
  caFile,
  proxy,
  wsUrl,
}: Pick<Config['environment'], 'caFile' | 'proxy'> & { readonly wsUrl?: string | undefined }):
  | NetworkRoute
  | undefined {
  if (caFile === undefined && proxy === undefined && wsUrl === undefined) return undefined;
  return { proxy, streamUrl: wsUrl, ca: caFile === undefined ? undefined : readAuthorities(caFile).text };
}

/** The certificates of a file. @throws ConfigError `CONFIG_CA_FILE_UNUSABLE`. */
export function readAuthorities(file: string): {
  readonly text: string;
  readonly certificates: readonly X509Certificate[];
} {
  let why = 'it has no certificate in PEM form';
  try {
    const text = readFileSync(file, 'utf8');
    const certificates = (text.match(CERTIFICATE) ?? []).map((pem) => new X509Certificate(pem));
    if (certificates.length > 0) return { text, certificates };
  } catch (thrown) {
    why = messageOf(thrown);
  }
  throw new ConfigError({
    code: 'CONFIG_CA_FILE_UNUSABLE',
    message: `expected certificates of an authority (PEM) in ${file}, but ${why}`,
    remedy:
      'Name the file that the operator of the gateway or of the network gave you as environment.caFile.',
  });
}
