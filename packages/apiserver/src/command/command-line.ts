import { parseArgs } from 'node:util';
import { KubewrightError } from '@kubewright/api/errors';
import {
  defaultVersion,
  type KubernetesVersion,
  minorVersions,
  resolveKubernetesVersion,
} from '@kubewright/api/kubernetes-version';

/** The options of the command. */
export interface CommandLine {
  readonly host: string;
  readonly port: number;
  readonly kubernetes: KubernetesVersion;
  readonly workloads: boolean;
  /** The value of `--nodes`: the number of nodes, or the path of a file. */
  readonly nodes?: string;
  /** The value of `--pod-behaviours`: the path of a file. */
  readonly podBehaviours?: string;
  readonly printKubeconfig: boolean;
  /** The grace period for stopping the server, in seconds. */
  readonly graceSeconds: number;
  readonly data?: string;
  readonly kubeconfig?: string;
}

/** The default port of a Kubernetes API server. A fixed port keeps a kubeconfig valid after a restart. */
const defaultPort = 6443;

/** The longest delay of a Node.js timer, in seconds. */
const longestGraceSeconds = 2_147_483;
/** The default grace period in seconds. It is shorter than the 30 s after which Kubernetes kills a container. */
const defaultGraceSeconds = 20;

/** The output of `--help`. */
export const helpText = `Usage: kubewright-apiserver [options]

A Kubernetes API server in one process, without etcd and without nodes: for development, tests and demonstrations.

Options:
  --data DIR           folder for objects, tokens, certificate and keys; created if it does not exist
                       (default: keep data only in memory)
  --port N             port; 0 selects a free port (default: ${defaultPort})
  --host ADDRESS       address (default: 127.0.0.1)
  --kubeconfig FILE    path of the administrator kubeconfig (default: DIR/kubeconfig, or a temporary file)
  --kubernetes-version VERSION
                       version of Kubernetes to emulate: ${minorVersions.join(', ')}, or a patch version (default: ${defaultVersion})
  --workloads          simulate the kubelet and workload controllers: Pods run, Deployments become ready
  --nodes N|FILE       number of simulated nodes, or a YAML file: a list of objects with name, labels, taints and
                       capacity (default: 1)
  --pod-behaviours FILE
                       what the simulated Pods do, as YAML: a list of objects with selector and behaviour
  --print-kubeconfig   also print the kubeconfig to standard output
  --grace-seconds N    time limit for a stop after SIGINT or SIGTERM, in seconds (default: ${defaultGraceSeconds})
  -h, --help           print this help
  --version            print the versions of the server and of the Kubernetes API

Examples:
  kubewright-apiserver --workloads
      starts a temporary cluster
  kubewright-apiserver --data ~/.kubewright/dev --workloads
      starts a cluster that keeps its objects and its kubeconfig across restarts
  kubewright-apiserver --port 0 --kubeconfig ./kubeconfig &
  kubectl --kubeconfig ./kubeconfig get namespaces
      starts an additional cluster on a free port

Exit codes:
  0  stopped by SIGINT or SIGTERM
  1  the server cannot start or stop: the port or the folder is in use, the disk is full, a file is damaged
  2  invalid options
  3  the server did not stop within its grace period; the folder of --data contains all acknowledged writes
`;

/** Parses the options of the command. Throws INVALID_USAGE for invalid options. */
export function readCommandLine(args: readonly string[]): CommandLine | 'help' | 'version' {
  const values = parsed(args);
  if (values.help === true) return 'help';
  if (values.version === true) return 'version';
  for (const flag of ['data', 'kubeconfig', 'host', 'kubernetes-version', 'nodes', 'pod-behaviours'] as const) {
    if (values[flag] === '') throw invalidUsage(`--${flag} is empty`);
  }
  for (const flag of ['nodes', 'pod-behaviours'] as const) {
    if (values[flag] !== undefined && values.workloads !== true) throw invalidUsage(`--${flag} requires --workloads`);
  }
  return {
    host: values.host ?? '127.0.0.1',
    port: portOf(values.port ?? String(defaultPort)),
    kubernetes: kubernetesVersionOf(values['kubernetes-version']),
    workloads: values.workloads ?? false,
    printKubeconfig: values['print-kubeconfig'] ?? false,
    graceSeconds: graceSecondsOf(values['grace-seconds'] ?? String(defaultGraceSeconds)),
    ...(values.nodes === undefined ? {} : { nodes: values.nodes }),
    ...(values['pod-behaviours'] === undefined ? {} : { podBehaviours: values['pod-behaviours'] }),
    ...(values.data === undefined ? {} : { data: values.data }),
    ...(values.kubeconfig === undefined ? {} : { kubeconfig: values.kubeconfig }),
  };
}

function parsed(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        data: { type: 'string' },
        port: { type: 'string' },
        host: { type: 'string' },
        kubeconfig: { type: 'string' },
        'kubernetes-version': { type: 'string' },
        workloads: { type: 'boolean' },
        nodes: { type: 'string' },
        'pod-behaviours': { type: 'string' },
        'print-kubeconfig': { type: 'boolean' },
        'grace-seconds': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    // Node.js adds advice about positional arguments, which this command does not support.
    const [problem = ''] = (error as Error).message.split('. ');
    throw invalidUsage(problem.replaceAll('\n', ' '));
  }
}

function kubernetesVersionOf(text: string | undefined): KubernetesVersion {
  try {
    return resolveKubernetesVersion(text);
  } catch (error) {
    throw invalidUsage((error as Error).message);
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw invalidUsage(`--port ${text} is not a valid port; use a number from 0 to 65535`);
}

function graceSecondsOf(text: string): number {
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds <= longestGraceSeconds) return seconds;
  throw invalidUsage(`--grace-seconds ${text} is not valid; use a number of seconds from 0 to ${longestGraceSeconds}`);
}

function invalidUsage(problem: string): KubewrightError {
  return new KubewrightError('INVALID_USAGE', `${problem.replace(/\.$/, '')}; see kubewright-apiserver --help`);
}
