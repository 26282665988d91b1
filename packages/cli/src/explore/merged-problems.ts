import type { Problem } from './explore-messages.js';

/**
 * Returns one problem for each kind and signature, sorted by apiVersion, kind and signature. If several processes found the same problem,
 * returns the problem with the shortest history, so that the order of the processes does not change the result.
 */
export function mergedProblems(problems: readonly Problem[]): readonly Problem[] {
  const merged = new Map<string, Problem>();
  for (const problem of problems.toSorted(byHistory)) {
    const key = problemKey(problem);
    if (!merged.has(key)) merged.set(key, problem);
  }
  return [...merged].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, problem]) => problem);
}

/** Returns a key with the apiVersion, kind and signature of a problem. Problems with the same key probably have the same cause. */
export function problemKey({ finding: { kind, signature } }: Pick<Problem, 'finding'>): string {
  return `${kind.apiVersion} ${kind.kind} ${signature}`;
}

function byHistory(a: Problem, b: Problem): number {
  const [one, other] = [JSON.stringify(a.finding.trial), JSON.stringify(b.finding.trial)];
  return one.length - other.length || (one < other ? -1 : Number(one > other));
}
