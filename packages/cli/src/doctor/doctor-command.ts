import { type Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { jsonOption } from '../command/options.js';
import { clusterOptions } from '../deploy/target.js';
import type { DoctorOptions } from './run-doctor.js';

/** Declares `kubewright doctor`, which checks the requirements of commands and suggests corrections. */
export function doctorCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'doctor',
    description: 'look for what is wrong with machine and project',
    options: [
      new Option('--cluster', 'look at the cluster of the kubeconfig as well'),
      jsonOption(),
      ...clusterOptions(),
    ],
    needs: { kubeconfig: 'cluster', context: 'cluster' },
    examples: [
      ['kubewright doctor', 'tell what is ok, what may be in the way, and what is wrong, each with its cure'],
      [
        'kubewright doctor --cluster',
        'the same, and whether the cluster answers and has the kinds as they are declared',
      ],
      ['kubewright doctor --json', 'for a report of a defect'],
    ],
  }).action(async (options: DoctorOptions) => {
    const { runDoctor } = await import('./run-doctor.js');
    await runDoctor(context, options);
  });
}
