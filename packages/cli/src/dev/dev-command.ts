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
    description: 'run the operator against an API server on this machine, and again on every save',
    options: [
      new Option(
        '--data <folder>',
        'keep the objects of the API server in this folder (they are forgotten at the end)',
      ),
      new Option('--port <port>', 'the port of the API server; 0 takes any that is free').default('0'),
      new Option('--cluster', 'use the cluster of the kubeconfig in its place').conflicts(['data', 'port']),
      leaderElectOption(),
      new Option(
        '--once',
        'end when the samples are as they were asked for, with exit code 1 when they are not in time',
      ),
      new Option('--timeout <time>', 'how long that may take').default('60s'),
      yesOption(),
      ...clusterOptions(),
    ],
    needs: { kubeconfig: 'cluster', context: 'cluster', leaderElect: 'cluster', timeout: 'once' },
    examples: [
      ['kubewright dev', 'needs no cluster; Ctrl-C ends it'],
      ['kubewright dev --data .kubewright/data', 'goes on with the objects of the last time'],
      ['kubewright dev --cluster --context kind-dev', 'against a cluster that is there'],
      ['kubewright dev --once', 'in CI: does the operator bring its samples to where they are to be?'],
    ],
  })
    .argument('[flags...]', 'flags of the operator, after --')
    .action(async (flags: readonly string[], options: DevOptions) => {
      const { runDev } = await import('./run-dev.js');
      await runDev(context, options, flags);
    });
}
