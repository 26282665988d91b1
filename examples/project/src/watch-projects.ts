import type { Cluster, Duration } from '@kubewright/runtime';
import { Project } from './api/v1alpha1/project.js';

interface WatchOptions {
  readonly namespace: string;
  /** Stops after the first list. @default false */
  readonly once?: boolean;
  /** Period after which the informer delivers every object again. @default no resync */
  readonly resync?: Duration;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Reports the content of a store of the Projects of a namespace. Without `once`, also reports changes until the signal is aborted. */
export async function watchProjects(cluster: Cluster, options: WatchOptions): Promise<void> {
  const { namespace, once, resync = false, say, signal } = options;
  await using projects = await cluster.cache.informer(Project, { namespace, signal });
  say(`in the store: ${projects.size}`);
  say(`gzh-cr, without a request: ${projects.get({ namespace, name: 'gzh-cr' })?.spec.replicas} replicas`);
  if (once) return;
  for await (const change of projects.changes({ signal, resync })) {
    const { type, object } = change;
    const isReplay = type === 'modified' && change.old === object;
    const { metadata, spec } = object;
    say(`${isReplay ? 'resync' : type} ${metadata.name}: ${spec.replicas} replicas, ${projects.size} in the store`);
  }
}
