import type { CommandContext } from '../command/command-context.js';
import { compile } from './compile-project.js';
import { inspect } from './inspect-project.js';
import type { InspectedProject } from './inspected-project.js';
import type { Project } from './project.js';

/**
 * Compiles a project and gives what it declares. What its program prints, and what is doubtful of its kinds, is told beside.
 * @throws KubewrightError as `compile` and `inspect` do
 */
export async function declaredBy(project: Project, { signal, output }: CommandContext): Promise<InspectedProject> {
  await compile(project, { signal });
  const print = (text: string): void => output.note(text.replace(/\n$/, ''));
  const inspected = await inspect(project, { signal, print });
  for (const warning of inspected.warnings) output.note(`${output.errorStyles.yellow('warning:')} ${warning}`);
  return inspected;
}
