/** Formats a date as a Kubernetes MicroTime: RFC 3339 in UTC with six fractional digits, '2026-01-01T00:00:00.000000Z'. */
export function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}
