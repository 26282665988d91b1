import { Argument, type Command } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { type CommandModel, commandModel } from '../command/command-model.js';
import { declaredCommand } from '../command/declared-command.js';
import { bashCompletion } from './bash-completion.js';
import { fishCompletion } from './fish-completion.js';
import { zshCompletion } from './zsh-completion.js';

/** The generator of each shell's script. */
const SHELLS: Readonly<Record<string, (program: CommandModel) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** Declares `kubewright completion SHELL`, which prints a script that completes commands, options, and values. */
export function completionCommand({ output }: CommandContext): Command {
  return declaredCommand({
    name: 'completion',
    description: 'print a script that lets a shell complete commands and options',
    examples: [
      ['source <(kubewright completion bash)', 'complete in this shell; in ~/.bashrc, in every bash'],
      ['source <(kubewright completion zsh)', 'the same in ~/.zshrc, after compinit'],
      ['kubewright completion fish > ~/.config/fish/completions/kubewright.fish', 'complete in every fish'],
    ],
  })
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)))
    .action((shell: string, _options: object, self: Command) => {
      const script = SHELLS[shell];
      if (script !== undefined && self.parent !== null) output.text(script(commandModel(self.parent)));
    });
}
