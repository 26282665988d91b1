import { Option } from 'commander';
import type { Connection } from '@kubewright/runtime';
import type { CommandContext } from '../command/command-context.js';
import { confirm } from '../command/confirm.js';

/** Matches the kubeconfig contexts of tools that run a local cluster. */
const LOCAL_CONTEXT = /^(kind-|k3d-|minikube$|docker-desktop$|rancher-desktop$|orbstack$|colima|microk8s$|kubewright)/;
const LOCAL_HOST =
  /^(localhost|127(\.\d+){3}|\[::1\]|.*\.localhost|host\.docker\.internal|kubernetes\.docker\.internal)$/;
/** Matches addresses in private networks, which tools for local clusters use. */
const PRIVATE_HOST = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/;

/** Returns the options `--kubeconfig` and `--context`. */
export function clusterOptions(): readonly Option[] {
  return [
    new Option('--kubeconfig <file>', 'the kubeconfig of the cluster (default: KUBECONFIG, or ~/.kube/config)'),
    new Option('--context <name>', 'the context of the kubeconfig (default: the current context)'),
  ];
}

/**
 * Reports whether a cluster seems to run on this machine: the server has a local address, or the server has a private address and the
 * context has the name of a tool for local clusters.
 */
function looksLocal({ server, context = '' }: Pick<Connection, 'server' | 'context'>): boolean {
  const { hostname } = new URL(server);
  return LOCAL_HOST.test(hostname) || (LOCAL_CONTEXT.test(context) && PRIVATE_HOST.test(hostname));
}

/** Returns the description of a cluster for messages: `the cluster of context 'dev' (https://…)`. */
export function describeCluster({ server, context }: Pick<Connection, 'server' | 'context'>): string {
  return context === undefined ? `the cluster at ${server}` : `the cluster of context '${context}' (${server})`;
}

/**
 * Asks the user to confirm an action if the cluster does not seem to be local.
 * @throws KubewrightError NOT_CONFIRMED or DECLINED, like `confirm`
 */
export async function agreeToCluster(context: CommandContext, connection: Connection, what: string): Promise<void> {
  if (looksLocal(connection)) return;
  const reason = `${describeCluster(connection)} does not seem to run on this machine`;
  await confirm(context, { what, reason });
}
