/**
 * Returns the age of a time in the format of tables: `45s`, `5m20s`, `3h12m`, `2d3h`, `400d`, `2y35d`. Returns '<unknown>' for an unset
 * time, and '<invalid>' for a time that is at least two seconds in the future.
 */
export function age(since: string | undefined, now: Date): string {
  if (since === undefined || since === '') return '<unknown>';
  return humanDuration(now.getTime() - new Date(since).getTime());
}

/**
 * Formats a duration with at most two units. Longer durations have coarser units. Returns '<invalid>' for a duration of -2 seconds or less.
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return twoUnits(minutes, 'm', { rest: seconds % 60, unit: 's' });
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return twoUnits(hours, 'h', { rest: minutes % 60, unit: 'm' });
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return twoUnits(days, 'd', { rest: hours % 24, unit: 'h' });
  if (days < 730) return `${days}d`;
  const years = Math.trunc(days / 365);
  if (days < 2920) return twoUnits(years, 'y', { rest: days % 365, unit: 'd' });
  return `${years}y`;
}

function twoUnits(count: number, unit: string, minor: { readonly rest: number; readonly unit: string }): string {
  return minor.rest === 0 ? `${count}${unit}` : `${count}${unit}${minor.rest}${minor.unit}`;
}
