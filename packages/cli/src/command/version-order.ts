/** Reports whether a version such as '20.19.1-rc.1' is at least `oldest`, such as '20.19'. Ignores the text after the first '-' or '+'. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [have, want] = [numbersOf(version), numbersOf(oldest)];
  for (const [at, number] of want.entries()) {
    const own = have[at] ?? 0;
    if (own !== number) return own > number;
  }
  return true;
}

function numbersOf(version: string): readonly number[] {
  return version.replace(/^v/, '').split(/[-+]/, 1).join('').split('.').map(Number);
}
