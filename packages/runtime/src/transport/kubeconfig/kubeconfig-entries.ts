import { isAbsolute, join } from 'node:path';
import type { RawKubeconfig } from './parsed-kubeconfig.js';

/** A cluster in a kubeconfig. All paths are absolute. */
export interface KubeconfigCluster {
  readonly name: string;
  readonly server: string;
  readonly caData: string | undefined;
  readonly caFile: string | undefined;
  readonly skipTLSVerify: boolean;
  readonly tlsServerName: string | undefined;
  readonly proxyUrl: string | undefined;
}

/** A user in a kubeconfig, with the credentials that the kubeconfig contains. All paths are absolute. */
export interface KubeconfigUser {
  readonly name: string;
  readonly certData?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyData?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** A context in a kubeconfig. */
export interface KubeconfigContext {
  readonly name: string;
  readonly cluster: string;
  readonly user: string | undefined;
  readonly namespace: string | undefined;
}

/**
 * Returns the clusters of a kubeconfig. Relative paths are relative to `directory`.
 * @throws an Error that names the field, if an entry has no name, cluster or server
 */
export function clustersOf({ clusters }: RawKubeconfig, directory: string): readonly KubeconfigCluster[] {
  return (clusters ?? []).map((entry, at) => {
    const path = `clusters[${at}]`;
    const name = required(entry?.name, `${path}.name`);
    const cluster = required(entry?.cluster, `${path}.cluster`);
    return {
      name,
      server: required(cluster.server, `${path}.cluster.server`).replace(/\/$/, ''),
      caData: cluster['certificate-authority-data'],
      caFile: absolutePath(cluster['certificate-authority'], directory),
      skipTLSVerify: cluster['insecure-skip-tls-verify'] === true,
      tlsServerName: cluster['tls-server-name'],
      proxyUrl: cluster['proxy-url'],
    };
  });
}

/**
 * Returns the users of a kubeconfig. Relative paths are relative to `directory`.
 * @throws an Error that names the field, if an entry has no name
 */
export function usersOf({ users }: RawKubeconfig, directory: string): readonly KubeconfigUser[] {
  return (users ?? []).map((entry, at) => {
    const { token, username, password, ...user } = entry?.user ?? {};
    return {
      name: required(entry?.name, `users[${at}].name`),
      certData: user['client-certificate-data'],
      certFile: absolutePath(user['client-certificate'], directory),
      keyData: user['client-key-data'],
      keyFile: absolutePath(user['client-key'], directory),
      token,
      username,
      password,
    };
  });
}

/**
 * Returns the contexts of a kubeconfig.
 * @throws an Error that names the field, if an entry has no name, context or cluster
 */
export function contextsOf({ contexts }: RawKubeconfig): readonly KubeconfigContext[] {
  return (contexts ?? []).map((entry, at) => {
    const path = `contexts[${at}]`;
    const name = required(entry?.name, `${path}.name`);
    const context = required(entry?.context, `${path}.context`);
    return {
      name,
      cluster: required(context.cluster, `${path}.context.cluster`),
      user: context.user || undefined,
      namespace: context.namespace || undefined,
    };
  });
}

function required<T>(value: T | null | undefined, path: string): T {
  if (!value) throw new Error(`${path} is missing`);
  return value;
}

function absolutePath(path: string | undefined, directory: string): string | undefined {
  return !path || isAbsolute(path) ? path : join(directory, path);
}
