import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import type { Logger } from '../../log/logger.js';
import type { ContextEntries } from './kubeconfig-files.js';
import { INLINE } from './kubeconfig-source.js';
import { kubeconfigDocument } from './parsed-kubeconfig.js';
import type { OidcTokens } from '../credentials/oidc-credentials.js';

interface Kubeconfig {
  readonly users?: {
    readonly name?: string;
    readonly user?: { readonly 'auth-provider'?: { config?: Record<string, string> } };
  }[];
}

/**
 * Writes renewed tokens to the kubeconfig from which the old tokens were read, as kubectl does. The next program must use the new tokens,
 * because an issuer may accept a refresh token only once. If the file cannot be written, logs a warning; the tokens are then lost when the
 * process ends. Does nothing if the kubeconfig was passed as text.
 */
export async function keepTokens(
  entries: ContextEntries,
  tokens: OidcTokens,
  logger: Logger | undefined,
): Promise<void> {
  const { userFile: file, user } = entries;
  if (file === INLINE) return;
  try {
    const { dump } = await import('js-yaml');
    const kubeconfig = (await kubeconfigDocument(await readFile(file, 'utf8'))) as Kubeconfig;
    const provider = kubeconfig.users?.find(({ name }) => name === user.name)?.user?.['auth-provider'];
    if (provider === undefined) return;
    provider.config = {
      ...provider.config,
      ...(tokens.idToken === undefined ? {} : { 'id-token': tokens.idToken }),
      ...(tokens.refreshToken === undefined ? {} : { 'refresh-token': tokens.refreshToken }),
    };
    const written = `${file}.${process.pid}.new`;
    await writeFile(written, dump(kubeconfig), { mode: (await stat(file)).mode & 0o777, flag: 'wx' });
    await rename(written, file);
  } catch (error) {
    const message = 'cannot write the renewed tokens to the kubeconfig: the next program may have to log in again';
    logger?.warn(message, { file, error: (error as Error).message });
  }
}
