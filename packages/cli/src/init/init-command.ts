import { Command, Option } from 'commander';
import type { ProjectRequest } from 'create-operator';
import type { CommandContext } from '../command/command-context.js';
import { withExamples } from '../command/examples.js';
import { yesOption } from '../command/options.js';

/** `kubewright init`: makes a project, as `npm create operator` does. */
export function initCommand(context: CommandContext): Command {
  const command = new Command('init')
    .description('make a new project')
    .argument('[folder]', 'where it comes to; without one the name, which is asked for')
    .option('--name <name>', 'of the project and of the operator in a cluster (default: the folder)')
    .option('--domain <domain>', 'that your API groups end in (default: example.com)')
    .option('--group <group>', 'before the domain (default: none)')
    .option('--kind <kind>', 'of your objects, in PascalCase (default: from the name)')
    .option('--version <version>', 'of the kind (default: v1)')
    .option('--cluster-scoped', 'objects live in no namespace')
    .option('--multi-group', 'a folder for each API group')
    .addOption(
      new Option('--package-manager <name>', 'what installs packages (default: the one that is running)').choices([
        'npm',
        'pnpm',
        'yarn',
        'bun',
      ]),
    )
    .option('--no-install', "install no packages, and leave config to 'kubewright generate'")
    .option('--no-git', 'make no git repository')
    .option('--force', 'use a folder that has other files; none is written over')
    .addOption(yesOption())
    .action(async (folder: string | undefined, options: Omit<ProjectRequest, 'folder'>) => {
      const { createOperator } = await import('create-operator');
      const { cwd, env, interactive, output, signal } = context;
      const request = { ...options, ...(folder !== undefined && { folder }) };
      await createOperator(request, { cwd, env, interactive, signal, line: (text) => output.line(text) });
    });
  return withExamples(command, [
    ['kubewright init my-operator', 'ask what it is for, and make it'],
    ['kubewright init web-operator --domain example.com --group web --kind Website --yes', 'ask nothing'],
    ['kubewright init --cluster-scoped --no-install --no-git', 'write files only'],
  ]);
}
