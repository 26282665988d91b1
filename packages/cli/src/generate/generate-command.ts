import { type Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { jsonOption } from '../command/options.js';
import type { GenerateOptions } from './run-generate.js';

/** Declares `kubewright generate`, which writes the manifests that decorators and settings declare. */
export function generateCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'generate',
    description: 'write the manifests in config',
    options: [
      new Option('--check', 'write no files; if files are outdated, print the differences and fail'),
      new Option('--watch', 'continue to run, and write the manifests after each save of a source').conflicts([
        'check',
        'json',
      ]),
      jsonOption(),
    ],
    examples: [
      ['kubewright generate', 'write changed manifests, and remove manifests that are no longer generated'],
      ['kubewright generate --check', 'in CI: fail if the manifests are outdated'],
      ['kubewright generate --watch', 'during development: write after every save, and print errors'],
    ],
  }).action(async (options: GenerateOptions) => {
    const { runGenerate } = await import('./run-generate.js');
    await runGenerate(context, options);
  });
}
