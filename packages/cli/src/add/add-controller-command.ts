import { type Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { jsonOption } from '../command/options.js';
import { clusterOptions } from '../deploy/target.js';
import type { AddControllerOptions } from './add-controller-options.js';

/** Declares `kubewright add controller`, which adds a controller for a custom kind, a built-in kind, or a kind of another operator. */
export function addControllerCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'controller',
    description: 'add a controller for a kind: your own, a built-in kind, or a kind of another operator',
    options: [
      new Option('--kind <kind>', 'the kind to reconcile').makeOptionMandatory(),
      new Option('--group <group>', 'the group of the kind, if several groups have this kind'),
      new Option(
        '--version <version>',
        'the version of the kind (default: the storage version, or the newest version of a built-in kind)',
      ),
      new Option(
        '--name <name>',
        'the name of the controller, such as website-backup; required if the kind already has a controller',
      ),
      new Option(
        '--crd <file>',
        'generate the types of the kind from the CustomResourceDefinition in this file',
      ).conflicts('fromCluster'),
      new Option('--from-cluster', 'generate the types of the kind from the CustomResourceDefinition in a cluster'),
      jsonOption(),
      ...clusterOptions(),
    ],
    needs: { kubeconfig: 'fromCluster', context: 'fromCluster' },
    examples: [
      ['kubewright add controller --kind Website --name website-backup', 'a second controller for a kind of your own'],
      ['kubewright add controller --kind Deployment', 'a controller for a built-in kind'],
      [
        'kubewright add controller --kind Certificate --crd cert-manager.crds.yaml',
        'a controller for a kind of another operator',
      ],
      ['kubewright add controller --kind Certificate --from-cluster', 'the same, with the definition from a cluster'],
    ],
  }).action(async (options: AddControllerOptions) => {
    const { runAddController } = await import('./run-add-controller.js');
    await runAddController(context, options);
  });
}
