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
      new Option('--check', 'write nothing; fail when something would be written, and show what'),
      new Option('--watch', 'go on, and write again whenever a source is saved').conflicts(['check', 'json']),
      jsonOption(),
    ],
    examples: [
      ['kubewright generate', 'write what has changed, and remove what is no longer made'],
      ['kubewright generate --check', 'in CI: fail when somebody forgot to generate'],
      ['kubewright generate --watch', 'while declaring: write on every save, and show mistakes'],
    ],
  }).action(async (options: GenerateOptions) => {
    const { runGenerate } = await import('./run-generate.js');
    await runGenerate(context, options);
  });
}
