/**
 * Compares two resource versions: negative when `a` is older, 0 when equal, positive when newer. They are digits of any
 * length and never become numbers. The empty version (an object never stored) and '0' are older than every other.
 */
export function compareResourceVersions(a: string, b: string): number {
  if (a === b) return 0;
  const left = withoutLeadingZeros(a);
  const right = withoutLeadingZeros(b);
  if (left.length !== right.length) return left.length - right.length;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function withoutLeadingZeros(version: string): string {
  return version.startsWith('0') ? version.replace(/^0+/, '') : version;
}
