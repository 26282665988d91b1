import type { CommandContext } from '../command/command-context.js';
import { declaredBy } from '../project/declared-by.js';
import { findProject } from '../project/find-project.js';
import type { InspectedProject } from '../project/inspected-project.js';
import type { Project } from '../project/project.js';
import { clusterRefusal } from './cluster-refusal.js';
import { type ClusterChoice, KubeApi } from './kube-api.js';

/** A project, and the kinds, controllers, and permissions that its code declares. */
export interface DeclaredProject {
  readonly project: Project;
  readonly declared: InspectedProject;
}

/** Finds, compiles, and inspects the project of the current folder. Rejects if one of these steps fails. */
export async function declaredProject(context: CommandContext): Promise<DeclaredProject> {
  const project = await findProject(context.cwd);
  return { project, declared: await declaredBy(project, context) };
}

/** Connects to a cluster, runs `work`, and closes the connection. Converts errors of requests with `clusterRefusal`. */
export async function withCluster(
  context: CommandContext,
  choice: ClusterChoice,
  work: (api: KubeApi) => Promise<void>,
): Promise<void> {
  const { output, env } = context;
  const warn = (text: string): void => output.note(`${output.errorStyles.yellow('warning:')} ${text}`);
  const { kubeconfig, context: name } = choice;
  const named = { ...(kubeconfig !== undefined && { kubeconfig }), ...(name !== undefined && { context: name }) };
  await using api = await KubeApi.open(named, { env, warn });
  try {
    await work(api);
  } catch (error) {
    throw clusterRefusal(error, api.connection);
  }
}
