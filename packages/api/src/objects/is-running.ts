import type { KubeObject } from './kube-object.js';

/** Whether a Pod is in the phase Running, ready or not: all containers are created, and at least one runs, starts or restarts. */
export function isRunning(pod: KubeObject): boolean {
  return (pod as { readonly status?: { readonly phase?: string } }).status?.phase === 'Running';
}
