import { type TraceEntry, traceText } from '../../trace/trace-entry.js';

/** The verbs of the steps of a history. */
const CHANGES = new Set(['create', 'update', 'patch', 'delete']);
/** The kinds and resources that the environment and the framework write for their own work. */
const SURROUNDING = /^(ServiceAccount|ClusterRole|Role|ClusterRoleBinding|RoleBinding|Lease|Event|selfsubject\w+)$/;

/**
 * Returns the part of a trace that explains a history, one line each: the changes of the user, and each reconcile with its causes, reads
 * and writes.
 */
export function traceLines(trace: readonly TraceEntry[]): readonly string[] {
  return traceText(trace.filter(isShown)).split('\n').slice(0, -1);
}

function isShown(entry: TraceEntry): boolean {
  switch (entry.what) {
    case 'request':
      if (SURROUNDING.test(entry.kind)) return false;
      return entry.reconcile !== undefined || (entry.by === 'env' && CHANGES.has(entry.verb));
    case 'reconcile':
      return entry.phase === 'started' || entry.outcome !== 'success';
    case 'watch-fault':
      return true;
    case 'change':
      return false;
  }
}
