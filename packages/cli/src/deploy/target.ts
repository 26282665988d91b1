import { Option } from 'commander';
import type { Connection } from '@kubewright/runtime';
import type { CommandContext } from '../command/command-context.js';
import { confirm } from '../command/confirm.js';

/** Contexts that tools make which run a cluster on this machine. */
const LOCAL_CONTEXT = /^(kind-|k3d-|minikube$|docker-desktop$|rancher-desktop$|orbstack$|colima|microk8s$|kubewright)/;
const LOCAL_HOST =
  /^(localhost|127(\.\d+){3}|\[::1\]|.*\.localhost|host\.docker\.internal|kubernetes\.docker\.internal)$/;
/** The networks in which such tools give addresses to their clusters. */
const PRIVATE_HOST = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/;

/** `--kubeconfig` and `--context`. */
export function clusterOptions(): readonly Option[] {
  return [
    new Option('--kubeconfig <file>', 'the kubeconfig of the cluster (KUBECONFIG, else ~/.kube/config)'),
    new Option('--context <name>', 'the context of the kubeconfig (the current one)'),
  ];
}

/** Whether a cluster seems to run on this machine: by the address of its server, or by the name of a context as local tools give it. */
function looksLocal({ server, context = '' }: Pick<Connection, 'server' | 'context'>): boolean {
  const { hostname } = new URL(server);
  return LOCAL_HOST.test(hostname) || (LOCAL_CONTEXT.test(context) && PRIVATE_HOST.test(hostname));
}

/** 'the cluster of context 'dev' (https://…)'. */
export function describeCluster({ server, context }: Pick<Connection, 'server' | 'context'>): string {
  return context === undefined ? `the cluster at ${server}` : `the cluster of context '${context}' (${server})`;
}

/** Goes on when the cluster looks local, or it is agreed to. Rejects with NOT_AGREED. */
export async function agreeToCluster(context: CommandContext, connection: Connection, what: string): Promise<void> {
  if (looksLocal(connection)) return;
  const because = `${describeCluster(connection)} does not look like one on this machine`;
  await confirm(context, { what, because });
}
