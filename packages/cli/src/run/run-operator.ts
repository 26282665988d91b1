import { loadConnection } from '@kubewright/runtime/internal';
import type { CommandContext } from '../command/command-context.js';
import { describeCluster } from '../deploy/target.js';
import { compileProgram } from '../project/compile-program.js';
import { findProject } from '../project/find-project.js';
import { childEnd, startNode } from './operator-child.js';
import { operatorCluster, operatorEnvironment } from './operator-environment.js';
import type { RunOptions } from './run-options.js';

/** Compiles and runs the operator until it ends; the exit code is its own. Rejects when there is no cluster to run it against. */
export async function runOperator(
  context: CommandContext,
  options: RunOptions,
  flags: readonly string[],
): Promise<void> {
  const { cwd, signal, output, env } = context;
  const project = await findProject(cwd);
  await compileProgram(project, context);
  const cluster = operatorCluster(context, options);
  const connection = await loadConnection({ ...cluster, env });
  output.note(output.errorStyles.dim(`${project.settings.name} runs here, against ${describeCluster(connection)}`));
  const child = startNode(project.main, flags, { cwd: project.root, env: operatorEnvironment(context, cluster) });
  const ended = childEnd(child);
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const { exitCode } = await ended;
  signal.removeEventListener('abort', stop);
  context.exitWith(exitCode);
}
