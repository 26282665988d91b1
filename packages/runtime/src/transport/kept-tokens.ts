import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import type { Logger } from '../log/logger.js';
import type { ContextEntries } from './kubeconfig-files.js';
import { INLINE } from './kubeconfig-source.js';
import type { OidcTokens } from './oidc-credentials.js';

interface Kubeconfig {
  readonly users?: {
    readonly name?: string;
    readonly user?: { readonly 'auth-provider'?: { config?: Record<string, string> } };
  }[];
}

/**
 * Writes renewed tokens into the kubeconfig that the old ones are from, as kubectl does, so that the next program finds them: an issuer
 * may take each refresh token only once. A file that cannot be written is told to the log, and the tokens are kept in memory alone.
 */
export async function keepTokens(
  entries: ContextEntries,
  tokens: OidcTokens,
  logger: Logger | undefined,
): Promise<void> {
  const { userFile: file, user } = entries;
  if (file === INLINE) return;
  try {
    const { load, dump } = await import('js-yaml');
    const kubeconfig = load(await readFile(file, 'utf8')) as Kubeconfig;
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
    const message = 'renewed tokens could not be written to the kubeconfig: the next program may have to log in anew';
    logger?.warn(message, { file, error: (error as Error).message });
  }
}
