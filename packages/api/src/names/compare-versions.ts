/** Compares two API versions for sorting in the order of Kubernetes: v2, v1, v1beta1, v1alpha1, and other versions last. */
export function compareVersions(left: string, right: string): number {
  const a = parsed(left);
  const b = parsed(right);
  if (a === undefined || b === undefined) {
    if (a === undefined && b === undefined) return left < right ? -1 : Number(left > right);
    return a === undefined ? 1 : -1;
  }
  return b.stability - a.stability || b.major - a.major || b.minor - a.minor;
}

function parsed(version: string): { stability: number; major: number; minor: number } | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return undefined;
  const stability = match[2] === undefined ? 2 : Number(match[2] === 'beta');
  return { stability, major: Number(match[1]), minor: Number(match[3] ?? 0) };
}
