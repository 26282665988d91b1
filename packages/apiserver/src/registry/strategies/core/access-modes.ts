const short: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** Formats access modes for tables: abbreviated, distinct and in a fixed order. */
export function shownAccessModes(modes: readonly string[]): string {
  return Object.entries(short)
    .filter(([mode]) => modes.includes(mode))
    .map(([, text]) => text)
    .join(',');
}
