const short: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** Access modes as tables show them: short, each once, in their order. */
export function shownAccessModes(modes: readonly string[]): string {
  return Object.entries(short)
    .filter(([mode]) => modes.includes(mode))
    .map(([, text]) => text)
    .join(',');
}
