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
    description: 'tell what changes to your kinds break for stored objects and for clients',
    options: [
      new Option('--against <what>', 'what was before: git:REF, a file or folder with definitions, or cluster').default(
        'git:HEAD',
      ),
      new Option('--allow <class>', 'exit with 0 also for this class, and what is less than it').choices([
        'ratcheted',
        'breaking',
      ]),
      jsonOption(),
      ...clusterOptions(),
    ],
    notes: [
      'Each change is of one class:',
      '  breaking   an object or a request that was right is refused, or loses or changes a value',
      '  ratcheted  new values may be refused; what is stored can be changed as long as the field stays',
      '             as it is (servers of Kubernetes 1.33 or newer)',
      '  safe       whatever was valid stays valid and reads as it did',
      'The exit code is 1 when something is breaking or ratcheted, and not allowed.',
    ],
    examples: [
      ['kubewright diff', 'compare with the definitions in config/crd/bases of the last commit'],
      ['kubewright diff --against git:v1.2.0 --allow ratcheted', 'in CI: fail when the last release would be broken'],
      ['kubewright diff --against cluster', 'before deploying: what would become of the objects that are there'],
    ],
  }).action(async (options: DiffOptions) => {
    const { runDiff } = await import('./run-diff.js');
    await runDiff(context, options);
  });
}
