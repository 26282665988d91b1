import type { KubeObject } from './kube-object.js';

/** Whether a Pod runs, be it ready or not: all its containers were made, and one at least is running, starting or restarting. */
export function isRunning(pod: KubeObject): boolean {
  return (pod as { readonly status?: { readonly phase?: string } }).status?.phase === 'Running';
}
