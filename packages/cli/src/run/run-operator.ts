import type { Connection } from '@kubewright/runtime';
import { KubewrightError } from '@kubewright/api/errors';
import { loadConnection } from '@kubewright/runtime/internal';
import type { CommandContext } from '../command/command-context.js';
import { KubeApi } from '../deploy/kube-api.js';
import { describeCluster } from '../deploy/target.js';
import { compileProgram } from '../project/compile-program.js';
import { findProject } from '../project/find-project.js';
import type { InspectedProject } from '../project/inspected-project.js';
import type { Project } from '../project/project.js';
import { projectTools } from '../project/project-tools.js';
import { warnOfDeployedOperator } from './deployed-operator.js';
import { electionVariables, isElecting } from './election-variables.js';
import { childEnd, startNode } from './operator-child.js';
import { operatorCluster, operatorEnvironment } from './operator-environment.js';
import type { RunOptions } from './run-options.js';

/**
 * Compiles the operator, and runs the operator in a child process until it exits. The exit code of the command is the exit code of the
 * operator. Rejects if the kubeconfig specifies no cluster.
 */
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
  const variables = await electionOf({ context, project, connection, isElecting: isElecting(env, flags) }, options);
  output.note(
    output.errorStyles.dim(`running ${project.settings.name} on this machine against ${describeCluster(connection)}`),
  );
  const child = startNode(project.main, flags, {
    cwd: project.root,
    env: operatorEnvironment(context, cluster, variables),
  });
  const ended = childEnd(child);
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const { exitCode } = await ended;
  signal.removeEventListener('abort', stop);
  context.exitWith(exitCode);
}

/** The operator to start, and the cluster to which it connects. */
interface StartingOperator {
  readonly context: CommandContext;
  readonly project: Project;
  readonly connection: Connection;
  /** Whether a flag or an environment variable of the operator enables leader election. */
  readonly isElecting: boolean;
}

/**
 * Returns the environment variables for leader election if `--leader-elect` is given. Otherwise, returns no variables, and warns if the
 * operator also runs in the cluster and leader election is not enabled in another way.
 */
async function electionOf(
  starting: StartingOperator,
  { leaderElect }: RunOptions,
): Promise<Readonly<Record<string, string>>> {
  const { context, project, connection } = starting;
  const { inspect } = projectTools(context);
  const silent = { signal: context.signal, env: context.env, print: () => undefined };
  if (leaderElect === true) {
    return electionVariables((await inspect(project, silent)).operator.leaderElection, project.settings);
  }
  const declared = starting.isElecting ? undefined : await inspect(project, silent).catch(undefinedIfRefused);
  if (declared === undefined) return {};
  await using api = new KubeApi(connection, () => undefined);
  await warnOfDeployedOperator(context, { project, declared, api, electing: 'kubewright run --leader-elect' });
  return {};
}

/** Ignores an error of the program during the inspection, because the program prints the same error when it runs. */
function undefinedIfRefused(error: unknown): InspectedProject | undefined {
  if (error instanceof KubewrightError && error.code === 'INSPECTION_FAILED') return undefined;
  throw error;
}
