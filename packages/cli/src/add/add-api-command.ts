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
      new Option('--kind <kind>', 'in PascalCase, such as VirtualMachine').makeOptionMandatory(),
      new Option('--version <version>', 'of the kind').default('v1'),
      new Option('--group <group>', 'before the domain of the project, or whole (default: that of the other kinds)'),
      new Option('--cluster-scoped', 'objects live in no namespace'),
      new Option('--no-controller', 'the class only'),
      jsonOption(),
    ],
    examples: [
      ['kubewright add api --kind Database', 'in the group that the project has'],
      ['kubewright add api --group billing --kind Invoice --version v1beta1', 'in another group'],
      ['kubewright add api --kind Region --cluster-scoped --no-controller', 'the class only'],
    ],
  }).action(async (options: AddApiOptions) => {
    const { runAddApi } = await import('./run-add-api.js');
    await runAddApi(context, options);
  });
}
