import { type Command, Option } from 'commander';
import type { ProjectRequest } from 'create-operator';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { yesOption } from '../command/options.js';

/** Declares `kubewright init`, which creates a project like `npm create operator`. */
export function initCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'init',
    description: 'create a new project',
    options: [
      new Option(
        '--name <name>',
        'the name of the project and of the operator in a cluster (default: the name of the folder)',
      ),
      new Option('--domain <domain>', 'the suffix of your API groups (default: example.com)'),
      new Option('--group <group>', 'the part of the API group before the domain (default: none)'),
      new Option('--kind <kind>', 'the kind of your objects, in PascalCase (default: derived from the name)'),
      new Option('--version <version>', 'the version of the kind (default: v1)'),
      new Option('--cluster-scoped', 'make the kind cluster-scoped'),
      new Option('--multi-group', 'create a folder for each API group'),
      new Option(
        '--package-manager <name>',
        'the package manager, with yarn 4 or later (default: the one that runs the command)',
      ).choices(['npm', 'pnpm', 'yarn', 'bun']),
      new Option('--no-install', "do not install packages; run 'kubewright generate' later to create config"),
      new Option('--no-git', 'do not create a git repository'),
      new Option(
        '--force',
        'use a folder with other files; do not overwrite existing files, but add missing lines to .gitignore',
      ),
      yesOption(),
    ],
    examples: [
      ['kubewright init my-operator', 'prompt for the names, and create the project'],
      ['kubewright init web-operator --domain example.com --group web --kind Website --yes', 'do not prompt'],
      ['kubewright init --cluster-scoped --no-install --no-git', 'only write files'],
    ],
  })
    .argument('[folder]', 'the folder of the project (default: the name of the project)')
    .action(async (folder: string | undefined, options: Omit<ProjectRequest, 'folder'>) => {
      const { createOperator } = await import('create-operator');
      const { cwd, env, interactive, output, signal } = context;
      const request = { ...options, ...(folder !== undefined && { folder }) };
      await createOperator(request, { cwd, env, interactive, signal, line: (text) => output.line(text) });
    });
}
