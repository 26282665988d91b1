import { type Command, Option } from 'commander';
import type { ProjectRequest } from 'create-operator';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { yesOption } from '../command/options.js';

/** Declares `kubewright init`, which creates a project like `npm create operator`. */
export function initCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'init',
    description: 'make a new project',
    options: [
      new Option('--name <name>', 'of the project and of the operator in a cluster (default: the folder)'),
      new Option('--domain <domain>', 'that your API groups end in (default: example.com)'),
      new Option('--group <group>', 'before the domain (default: none)'),
      new Option('--kind <kind>', 'of your objects, in PascalCase (default: from the name)'),
      new Option('--version <version>', 'of the kind (default: v1)'),
      new Option('--cluster-scoped', 'objects live in no namespace'),
      new Option('--multi-group', 'a folder for each API group'),
      new Option(
        '--package-manager <name>',
        'what installs packages; yarn from version 4 on (default: the one that is running)',
      ).choices(['npm', 'pnpm', 'yarn', 'bun']),
      new Option('--no-install', "install no packages, and leave config to 'kubewright generate'"),
      new Option('--no-git', 'make no git repository'),
      new Option(
        '--force',
        'use a folder that has other files: none is written over, README.md stays, .gitignore gets missing lines',
      ),
      yesOption(),
    ],
    examples: [
      ['kubewright init my-operator', 'ask what it is for, and make it'],
      ['kubewright init web-operator --domain example.com --group web --kind Website --yes', 'ask nothing'],
      ['kubewright init --cluster-scoped --no-install --no-git', 'write files only'],
    ],
  })
    .argument('[folder]', 'where it comes to; without one the name, which is asked for')
    .action(async (folder: string | undefined, options: Omit<ProjectRequest, 'folder'>) => {
      const { createOperator } = await import('create-operator');
      const { cwd, env, interactive, output, signal } = context;
      const request = { ...options, ...(folder !== undefined && { folder }) };
      await createOperator(request, { cwd, env, interactive, signal, line: (text) => output.line(text) });
    });
}
