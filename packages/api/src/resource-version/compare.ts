/**
 * Compares two resource versions. Returns a negative number if `a` is older, 0 if they are equal, and a positive number if `a` is newer.
 * Resource versions are strings of digits of any length, and are not converted to numbers. The empty version (an object that was never
 * stored) and '0' are older than every other version.
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
