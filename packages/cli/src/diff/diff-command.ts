import { type Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { jsonOption } from '../command/options.js';
import { clusterOptions } from '../deploy/target.js';
import type { DiffOptions } from './run-diff.js';

/** Declares `kubewright diff`, which reports incompatible changes of the project's kinds. */
export function diffCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'diff',
    description: 'report the changes to your kinds that break stored objects or clients',
    options: [
      new Option(
        '--against <what>',
        'the previous definitions: git:REF, a file or folder with definitions, or cluster',
      ).default('git:HEAD'),
      new Option('--allow <class>', 'exit with 0 for changes of this class and of less severe classes').choices([
        'ratcheted',
        'breaking',
      ]),
      jsonOption(),
      ...clusterOptions(),
    ],
    notes: [
      'Each change has one of these classes:',
      '  breaking   a previously valid object or request is rejected, or a value is lost or changed',
      '  ratcheted  new values may be rejected; a stored object can be updated while the field stays',
      '             unchanged (API servers of Kubernetes 1.33 or later)',
      '  safe       previously valid objects stay valid, with the same values',
      'The exit code is 1 if a change is breaking or ratcheted and not allowed.',
    ],
    examples: [
      ['kubewright diff', 'compare with the definitions in config/crd/bases of the last commit'],
      ['kubewright diff --against git:v1.2.0 --allow ratcheted', 'in CI: fail if a change breaks the last release'],
      ['kubewright diff --against cluster', 'before a deployment: compare with the installed definitions'],
    ],
  }).action(async (options: DiffOptions) => {
    const { runDiff } = await import('./run-diff.js');
    await runDiff(context, options);
  });
}
