import type { Cluster } from '@kubewright/runtime';
import { Project } from './api/v1alpha1/project.js';

interface WatchOptions {
  readonly namespace: string;
  /** Only what is there now, and not what comes after it. */
  readonly once?: boolean;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Keeps a store of the projects of a namespace, and says what changes in it until the signal is aborted. */
export async function watchProjects(cluster: Cluster, { namespace, once, say, signal }: WatchOptions): Promise<void> {
  await using projects = await cluster.cache.informer(Project, { namespace, signal });
  say(`in the store: ${projects.size}`);
  say(`gzh-cr, without asking a server: ${projects.get({ namespace, name: 'gzh-cr' })?.spec.replicas} replicas`);
  if (once) return;
  for await (const { type, object } of projects.changes({ signal })) {
    say(`${type} ${object.metadata.name}: ${object.spec.replicas} replicas, ${projects.size} in the store`);
  }
}
