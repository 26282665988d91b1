import type { Cluster } from '@kubewright/runtime';
import { Project } from './api/v1/project.js';

/** Calls back with every project of the namespace and all its later changes, until the signal is aborted. */
export async function watchProjects(
  cluster: Cluster,
  namespace: string,
  seen: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  await using projects = await cluster.cache.informer(Project, { namespace });
  for await (const { type, object } of projects.changes({ signal })) {
    seen(`${type} ${object.metadata.name}: ${object.spec.replicas} replicas, ${projects.size} in the store`);
  }
}
