import { Argument, type Command } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { type CommandModel, commandModel } from '../command/command-model.js';
import { declaredCommand } from '../command/declared-command.js';
import { bashCompletion } from './bash-completion.js';
import { fishCompletion } from './fish-completion.js';
import { zshCompletion } from './zsh-completion.js';

/** The functions that generate the completion script of each shell. */
const SHELLS: Readonly<Record<string, (program: CommandModel) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** Declares `kubewright completion SHELL`, which prints a script that completes commands, options, and values. */
export function completionCommand({ output }: CommandContext): Command {
  return declaredCommand({
    name: 'completion',
    description: 'print a script that adds completion of commands and options to a shell',
    examples: [
      [
        'source <(kubewright completion bash)',
        'enable completion in this shell, or in every shell with this line in ~/.bashrc',
      ],
      ['source <(kubewright completion zsh)', 'the same for zsh; in ~/.zshrc, add the line after compinit'],
      [
        'kubewright completion fish > ~/.config/fish/completions/kubewright.fish',
        'enable completion in every fish shell',
      ],
    ],
  })
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)))
    .action((shell: string, _options: object, self: Command) => {
      const script = SHELLS[shell];
      if (script !== undefined && self.parent !== null) output.text(script(commandModel(self.parent)));
    });
}
