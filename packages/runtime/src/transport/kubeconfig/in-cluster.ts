import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '@kubewright/api/clock';
import type { Logger } from '../../log/logger.js';
import type { Connection } from '../connection/connection.js';
import { FileCredentials } from '../credentials/file-credentials.js';

/** The directory in which the kubelet mounts the service account of a Pod. */
export const SERVICE_ACCOUNT_DIRECTORY = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The environment variables and the directory that contain the address of the API server and the service account of a Pod. */
export interface PodEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  readonly clock: Clock;
  readonly logger?: Logger | undefined;
}

/**
 * Returns the connection of the service account of this Pod. Returns undefined outside of a Pod, and in a Pod without a service account
 * token. The files of the service account are read again periodically.
 */
export async function inClusterConnection({
  env,
  directory,
  clock,
  logger,
}: PodEnvironment): Promise<Connection | undefined> {
  const host = env.KUBERNETES_SERVICE_HOST;
  const port = env.KUBERNETES_SERVICE_PORT;
  const tokenFile = join(directory, 'token');
  if (!host || !port || (await textOf(tokenFile)) === undefined) return undefined;
  const caFile = join(directory, 'ca.crt');
  const ca = await textOf(caFile);
  const namespace = (await textOf(join(directory, 'namespace')))?.trim();
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    credentials: new FileCredentials({ tokenFile, clock, logger }),
    ...(ca === undefined ? {} : { ca, caFile }),
    ...(namespace ? { namespace } : {}),
  };
}

/** Returns the content of a file. Returns undefined if the file cannot be read. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
