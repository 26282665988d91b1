/** Returns the nodes of the first cycle of a graph, or an empty list. */
export function findCycle(edges: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const finished = new Set<string>();
  for (const start of edges.keys()) {
    const cycle = visit(start, []);
    if (cycle.length > 0) return cycle;
  }
  return [];

  function visit(node: string, trail: readonly string[]): readonly string[] {
    if (finished.has(node)) return [];
    const seenAt = trail.indexOf(node);
    if (seenAt >= 0) return [...trail.slice(seenAt), node];
    for (const next of edges.get(node) ?? []) {
      const cycle = visit(next, [...trail, node]);
      if (cycle.length > 0) return cycle;
    }
    finished.add(node);
    return [];
  }
}
