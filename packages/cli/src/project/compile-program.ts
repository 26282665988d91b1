import type { CommandContext } from '../command/command-context.js';
import type { Project } from './project.js';
import { projectTools } from './project-tools.js';

/**
 * Compiles a project. If only tests have errors, prints these errors as warnings. Rejects with the errors of `compile`.
 */
export async function compileProgram(project: Project, context: CommandContext): Promise<void> {
  await projectTools(context).compile(project, {
    signal: context.signal,
    env: context.env,
    onTestProblems: (problems) => warnOfTests(problems, context),
  });
}

/** Prints a warning with the errors of tests that do not compile. */
export function warnOfTests(problems: readonly string[], { output }: Pick<CommandContext, 'output'>): void {
  output.note(`${output.errorStyles.yellow('warning:')} tests do not compile:`);
  for (const problem of problems) output.note(`  ${problem}`);
}
