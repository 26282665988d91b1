import type { CommandContext } from '../command/command-context.js';
import { compileProgram } from './compile-program.js';
import { inspect } from './inspect-project.js';
import type { InspectedProject } from './inspected-project.js';
import type { Project } from './project.js';

/**
 * Compiles a project and returns what it declares. Reports the output of its program, tests that do not compile, and warnings about its kinds.
 * @throws KubewrightError as `compile` and `inspect` do
 */
export async function declaredBy(project: Project, context: CommandContext): Promise<InspectedProject> {
  const { signal, output } = context;
  await compileProgram(project, context);
  const print = (text: string): void => output.note(text.replace(/\n$/, ''));
  const inspected = await inspect(project, { signal, print });
  for (const warning of inspected.warnings) output.note(`${output.errorStyles.yellow('warning:')} ${warning}`);
  return inspected;
}
