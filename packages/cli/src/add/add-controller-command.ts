import { Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { withExamples } from '../command/examples.js';
import { jsonOption } from '../command/options.js';
import type { ClusterChoice } from '../deploy/kube-api.js';
import { clusterOptions } from '../deploy/target.js';

/** What `kubewright add controller` was told. */
export interface AddControllerOptions extends ClusterChoice {
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  /** Of the controller. @default that of the kind */
  readonly name?: string;
  /** The file that has the definition of the kind. */
  readonly crd?: string;
  readonly fromCluster?: boolean;
}

/** `kubewright add controller`: a controller for a kind of one's own, of Kubernetes, or of another operator. */
export function addControllerCommand(context: CommandContext): Command {
  const command = new Command('controller')
    .description('add a controller: for a kind of yours, of Kubernetes, or of another operator')
    .requiredOption('--kind <kind>', 'that it is for')
    .option('--group <group>', 'of the kind, where several have it')
    .option('--version <version>', 'of the kind (default: the one that is stored)')
    .option('--name <name>', 'of the controller, where the kind has one already, such as website-backup')
    .addOption(
      new Option('--crd <file>', 'make the types of the kind of a CustomResourceDefinition').conflicts('fromCluster'),
    )
    .option('--from-cluster', 'make the types of the kind of what a cluster has installed')
    .addOption(jsonOption())
    .action(async (options: AddControllerOptions) => {
      const { runAddController } = await import('./run-add-controller.js');
      await runAddController(context, options);
    });
  for (const option of clusterOptions()) command.addOption(option);
  return withExamples(command, [
    ['kubewright add controller --kind Website --name website-backup', 'a second one for a kind of yours'],
    ['kubewright add controller --kind Deployment', 'for a kind of Kubernetes'],
    ['kubewright add controller --kind Certificate --crd cert-manager.crds.yaml', "for another operator's kind"],
    ['kubewright add controller --kind Certificate --from-cluster', 'the same, as a cluster has it'],
  ]);
}
