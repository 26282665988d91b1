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
 * Compiles the operator, runs it until it ends, and sets its exit code as the exit code of the command. Rejects if no cluster is
 * configured.
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

/** An operator that is about to run on this machine. */
interface StartingOperator {
  readonly context: CommandContext;
  readonly project: Project;
  readonly connection: Connection;
  /** Whether flags or variables already enable leader election. */
  readonly isElecting: boolean;
}

/** Returns the variables for leader election if it is requested. Otherwise warns if the operator also runs in the cluster. */
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

/** Returns undefined for an error of the program, because the program reports its errors when it runs. */
function undefinedIfRefused(error: unknown): InspectedProject | undefined {
  if (error instanceof KubewrightError && error.code === 'INSPECTION_FAILED') return undefined;
  throw error;
}
