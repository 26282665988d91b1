import { Command } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { withExamples } from '../command/examples.js';

/** `kubewright compile`: compiles the project, and removes what is left of sources that were deleted. */
export function compileCommand(context: CommandContext): Command {
  const command = new Command('compile')
    .description('compile the project, and remove what was compiled of sources that are gone')
    .action(async () => {
      const { compile } = await import('../project/compile-project.js');
      const { findProject } = await import('../project/find-project.js');
      await compile(await findProject(context.cwd), { signal: context.signal });
    });
  return withExamples(command, [['kubewright compile && cd dist && node --test', 'runs the tests that there are']]);
}
