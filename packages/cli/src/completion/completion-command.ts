import { Argument, Command } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { withExamples } from '../command/examples.js';

/** `kubewright completion SHELL`: prints a script that completes commands, options and values. */
export function completionCommand(context: CommandContext): Command {
  const command = new Command('completion')
    .description('print a script that lets a shell complete commands and options')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .action((shell: string) => {
      context.output.text(shell);
    });
  return withExamples(command, [
    ['source <(kubewright completion bash)', 'complete in this shell'],
    ['kubewright completion fish > ~/.config/fish/completions/kubewright.fish', 'complete in every fish'],
  ]);
}
