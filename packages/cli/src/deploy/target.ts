import { Option } from 'commander';
import type { Connection } from '@kubewright/runtime';
import type { CommandContext } from '../command/command-context.js';
import { confirm } from '../command/confirm.js';

/** The contexts of tools that run a local cluster. */
const LOCAL_CONTEXT = /^(kind-|k3d-|minikube$|docker-desktop$|rancher-desktop$|orbstack$|colima|microk8s$|kubewright)/;
const LOCAL_HOST =
  /^(localhost|127(\.\d+){3}|\[::1\]|.*\.localhost|host\.docker\.internal|kubernetes\.docker\.internal)$/;
/** The networks from which tools that run a local cluster assign addresses. */
const PRIVATE_HOST = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/;

/** Returns the options `--kubeconfig` and `--context`. */
export function clusterOptions(): readonly Option[] {
  return [
    new Option('--kubeconfig <file>', 'the kubeconfig of the cluster (default: KUBECONFIG, or ~/.kube/config)'),
    new Option('--context <name>', 'the context of the kubeconfig (default: the current context)'),
  ];
}

/**
 * Reports whether a cluster seems to run on this machine. The address of its server is local, or its context has the name of a local tool
 * and the address is private.
 */
function looksLocal({ server, context = '' }: Pick<Connection, 'server' | 'context'>): boolean {
  const { hostname } = new URL(server);
  return LOCAL_HOST.test(hostname) || (LOCAL_CONTEXT.test(context) && PRIVATE_HOST.test(hostname));
}

/** Describes a cluster: `the cluster of context 'dev' (https://…)`. */
export function describeCluster({ server, context }: Pick<Connection, 'server' | 'context'>): string {
  return context === undefined ? `the cluster at ${server}` : `the cluster of context '${context}' (${server})`;
}

/** Returns when the cluster looks local or the user confirms the action. Rejects with NOT_AGREED or DECLINED. */
export async function agreeToCluster(context: CommandContext, connection: Connection, what: string): Promise<void> {
  if (looksLocal(connection)) return;
  const because = `${describeCluster(connection)} does not seem to run on this machine`;
  await confirm(context, { what, because });
}
