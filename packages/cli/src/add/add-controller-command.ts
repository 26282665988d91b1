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
    description: 'add a controller: for a kind of yours, of Kubernetes, or of another operator',
    options: [
      new Option('--kind <kind>', 'that it is for').makeOptionMandatory(),
      new Option('--group <group>', 'of the kind, where several have it'),
      new Option('--version <version>', 'of the kind (default: the one that is stored)'),
      new Option('--name <name>', 'of the controller, where the kind has one already, such as website-backup'),
      new Option('--crd <file>', 'make the types of the kind of a CustomResourceDefinition').conflicts('fromCluster'),
      new Option('--from-cluster', 'make the types of the kind of what a cluster has installed'),
      jsonOption(),
      ...clusterOptions(),
    ],
    needs: { kubeconfig: 'fromCluster', context: 'fromCluster' },
    examples: [
      ['kubewright add controller --kind Website --name website-backup', 'a second one for a kind of yours'],
      ['kubewright add controller --kind Deployment', 'for a kind of Kubernetes'],
      ['kubewright add controller --kind Certificate --crd cert-manager.crds.yaml', "for another operator's kind"],
      ['kubewright add controller --kind Certificate --from-cluster', 'the same, as a cluster has it'],
    ],
  }).action(async (options: AddControllerOptions) => {
    const { runAddController } = await import('./run-add-controller.js');
    await runAddController(context, options);
  });
}
