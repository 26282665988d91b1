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
    description: 'check the machine and the project for problems',
    options: [new Option('--cluster', 'also check the cluster of the kubeconfig'), jsonOption(), ...clusterOptions()],
    needs: { kubeconfig: 'cluster', context: 'cluster' },
    examples: [
      ['kubewright doctor', 'print the result of each check, with a remedy for each problem'],
      [
        'kubewright doctor --cluster',
        'also check that the cluster answers, has the kinds as declared, and can call the webhooks',
      ],
      ['kubewright doctor --json', 'for a bug report'],
    ],
  }).action(async (options: DoctorOptions) => {
    const { runDoctor } = await import('./run-doctor.js');
    await runDoctor(context, options);
  });
}
