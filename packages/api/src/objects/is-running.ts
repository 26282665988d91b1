import type { KubeObject } from './kube-object.js';

/** Whether the phase of a Pod is Running, regardless of readiness. At least one container of such a Pod runs, starts or restarts. */
export function isRunning(pod: KubeObject): boolean {
  return (pod as { readonly status?: { readonly phase?: string } }).status?.phase === 'Running';
}
