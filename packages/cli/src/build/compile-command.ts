import type { Command } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';

/** Declares `kubewright compile`, which compiles the project and removes the output of deleted sources. */
export function compileCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'compile',
    description: 'compile the project, and remove the output of deleted sources',
    examples: [['kubewright compile && cd dist && node --test', 'compile and run the tests']],
  }).action(async () => {
    const { findProject } = await import('../project/find-project.js');
    const { projectTools } = await import('../project/project-tools.js');
    const { cwd, env, signal } = context;
    await projectTools(context).compile(await findProject(cwd), { env, signal });
  });
}
