import { Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { withExamples } from '../command/examples.js';
import { jsonOption } from '../command/options.js';
import type { ClusterChoice } from '../deploy/kube-api.js';
import { clusterOptions } from '../deploy/target.js';

/** What `kubewright doctor` can be told. */
export interface DoctorOptions extends ClusterChoice {
  readonly cluster?: boolean;
}

/** `kubewright doctor`: looks at all that commands need, and tells how to put right what is wrong. */
export function doctorCommand(context: CommandContext): Command {
  const command = new Command('doctor')
    .description('look for what is wrong with machine and project')
    .addOption(new Option('--cluster', 'look at the cluster of the kubeconfig as well'))
    .addOption(jsonOption())
    .action(async (options: DoctorOptions) => {
      const { runDoctor } = await import('./run-doctor.js');
      await runDoctor(context, options);
    });
  for (const option of clusterOptions()) command.addOption(option);
  return withExamples(command, [
    ['kubewright doctor', 'tell what is ok, what may be in the way, and what is wrong, each with its cure'],
    ['kubewright doctor --cluster', 'the same, and whether the cluster answers and has the kinds as they are declared'],
    ['kubewright doctor --json', 'for a report of a defect'],
  ]);
}
