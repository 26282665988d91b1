import { type Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { jsonOption } from '../command/options.js';
import type { AddApiOptions } from './run-add-api.js';

/** Declares `kubewright add api`, which adds a custom kind, a controller, and a test. */
export function addApiCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'api',
    description: 'add a kind of your own: its class, a controller and a test',
    options: [
      new Option('--kind <kind>', 'the kind, in PascalCase, such as VirtualMachine').makeOptionMandatory(),
      new Option('--version <version>', 'the version of the kind').default('v1'),
      new Option(
        '--group <group>',
        'the API group, with or without the domain of the project (default: the group of the other kinds)',
      ),
      new Option('--cluster-scoped', 'make the kind cluster-scoped'),
      new Option('--no-controller', 'add only the class'),
      jsonOption(),
    ],
    examples: [
      ['kubewright add api --kind Database', 'add a kind in the group of the project'],
      ['kubewright add api --group billing --kind Invoice --version v1beta1', 'add a kind in another group'],
      ['kubewright add api --kind Region --cluster-scoped --no-controller', 'add only the class'],
    ],
  }).action(async (options: AddApiOptions) => {
    const { runAddApi } = await import('./run-add-api.js');
    await runAddApi(context, options);
  });
}
