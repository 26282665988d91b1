import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '@kubewright/api/clock';
import type { Connection } from './connection.js';
import { TokenSource } from './token-source.js';

/** Where the kubelet puts the service account of a Pod. */
export const SERVICE_ACCOUNT_DIRECTORY = '/var/run/secrets/kubernetes.io/serviceaccount';

/** What a Pod is told about its API server. */
export interface PodSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  readonly clock: Clock;
}

/** The connection of the service account of this Pod; undefined outside of one. The token file is read again each 50 seconds. */
export async function inClusterConnection({ env, directory, clock }: PodSurroundings): Promise<Connection | undefined> {
  const host = env.KUBERNETES_SERVICE_HOST;
  const port = env.KUBERNETES_SERVICE_PORT;
  const tokenFile = join(directory, 'token');
  if (!host || !port || (await textOf(tokenFile)) === undefined) return undefined;
  const ca = await textOf(join(directory, 'ca.crt'));
  const namespace = (await textOf(join(directory, 'namespace')))?.trim();
  const token = new TokenSource(() => readFile(tokenFile, 'utf8'), clock);
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    token: () => token.get(),
    ...(ca === undefined ? {} : { ca }),
    ...(namespace ? { namespace } : {}),
  };
}

/** Undefined for a file that is not there. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
