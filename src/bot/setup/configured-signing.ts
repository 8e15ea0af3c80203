/**
 * @module
 * The cryptography that a configuration asks for: `environment.signingBackend` forces a signing back end. For what signs
 * with configured or ephemeral keys; what signs nothing takes the fastest that works.
 */
import { type ConfigSource, invalid } from '../../config/index.ts';
import { ConfigError } from '../../core/index.ts';
import { type Crypto, type CryptoOptions, loadCrypto } from '../../wire/crypto/index.ts';

/**
 * Loads the back ends, the forced one and no other where one is forced.
 * @throws ConfigError `CONFIG_INVALID` with the location and why the back end cannot be used on this machine.
 */
export async function loadConfiguredCrypto(
  { config, find }: Pick<ConfigSource, 'config' | 'find'>,
  load: (options: CryptoOptions) => Promise<Crypto> = loadCrypto,
): Promise<Crypto> {
  const { signingBackend } = config.environment;
  try {
    return await load({ secp256k1: signingBackend });
  } catch (thrown) {
    if (signingBackend === 'auto' || !(thrown instanceof ConfigError)) throw thrown;
    const place = find(
      ['environment', 'signingBackend'],
      'a back end that works here, or auto for the fastest that does',
    );
    throw invalid([{ ...place, found: thrown.message.split(', got ').at(-1) ?? signingBackend }]);
  }
}
