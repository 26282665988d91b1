import { defaultVersion, minorVersions, resolveKubernetesVersion } from '@kubewright/api/kubernetes-version';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { yesOption } from '../command/options.js';
import { clusterOptions } from '../deploy/target.js';
import { leaderElectOption } from '../run/leader-elect-option.js';
import type { DevOptions } from './dev-options.js';

/** Declares `kubewright dev`, which runs the operator against an API server and restarts it after each save. */
export function devCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'dev',
    description: 'run the operator with an API server on this machine, and restart it after every save',
    options: [
      new Option(
        '--data <folder>',
        'store the objects of the API server in this folder (default: discard them at the end)',
      ),
      new Option('--port <port>', 'the port of the API server; with 0, any free port').default('0'),
      kubernetesVersionOption(),
      new Option(
        '--nodes <number|file>',
        'the number of simulated nodes, or a YAML file with a list of nodes (default: 1)',
      ),
      new Option('--pod-behaviours <file>', 'a YAML file that states what the simulated Pods do'),
      new Option('--cluster', 'use the cluster of the kubeconfig instead of a local API server').conflicts([
        'data',
        'port',
        'kubernetesVersion',
        'nodes',
        'podBehaviours',
      ]),
      new Option(
        '--webhook-address <address>',
        'register the webhooks in the cluster, at HOST or HOST:PORT: an address of this machine that the cluster can reach',
      ),
      leaderElectOption(),
      new Option('--once', 'stop when the samples are in the desired state; exit with 1 after --timeout'),
      new Option('--timeout <time>', 'the time limit for --once').default('60s'),
      yesOption(),
      ...clusterOptions(),
    ],
    needs: {
      kubeconfig: 'cluster',
      context: 'cluster',
      leaderElect: 'cluster',
      webhookAddress: 'cluster',
      timeout: 'once',
    },
    examples: [
      ['kubewright dev', 'run without a cluster; Ctrl-C stops the command'],
      ['kubewright dev --data .kubewright/data', 'continue with the objects of the previous run'],
      [
        'kubewright dev --nodes 3 --pod-behaviours pods.yaml',
        'simulate three nodes, and Pods that fail or start slowly',
      ],
      ['kubewright dev --cluster --context kind-dev', 'use an existing cluster'],
      [
        'kubewright dev --cluster --webhook-address 172.18.0.1',
        'the cluster calls the webhooks of the operator on this machine',
      ],
      ['kubewright dev --once', 'in CI: check that the samples reach the desired state'],
    ],
  })
    .argument('[flags...]', 'flags of the operator, after --')
    .action(async (flags: readonly string[], options: DevOptions) => {
      const { runDev } = await import('./run-dev.js');
      await runDev(context, options, flags);
    });
}

/** Returns the option `--kubernetes-version`. Completion and help list only minor versions, but the option also accepts patch versions. */
function kubernetesVersionOption(): Option {
  return new Option('--kubernetes-version <version>', 'the Kubernetes version of the API server, also with a patch')
    .choices(minorVersions)
    .argParser((text: string) => resolveKubernetesVersion(text).version)
    .default(defaultVersion);
}
