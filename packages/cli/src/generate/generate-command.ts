import { Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { withExamples } from '../command/examples.js';
import { jsonOption } from '../command/options.js';

/** What `kubewright generate` can be told. */
export interface GenerateOptions {
  readonly check?: boolean;
  readonly watch?: boolean;
}

/** `kubewright generate`: writes the manifests that decorators and settings declare. */
export function generateCommand(context: CommandContext): Command {
  const command = new Command('generate')
    .description('write the manifests in config')
    .addOption(new Option('--check', 'write nothing; fail when something would be written, and show what'))
    .addOption(new Option('--watch', 'go on, and write again whenever a source is saved').conflicts(['check', 'json']))
    .addOption(jsonOption())
    .action(async (options: GenerateOptions) => {
      const { runGenerate } = await import('./run-generate.js');
      await runGenerate(context, options);
    });
  return withExamples(command, [
    ['kubewright generate', 'write what has changed, and remove what is no longer made'],
    ['kubewright generate --check', 'in CI: fail when somebody forgot to generate'],
    ['kubewright generate --watch', 'while declaring: write on every save, and show mistakes'],
  ]);
}
