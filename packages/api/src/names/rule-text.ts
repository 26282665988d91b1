/** "must be no more than N bytes": names are said to have characters, labels to have bytes. */
export function tooLongText(maximum: number, unit: 'bytes' | 'characters'): string {
  return `must be no more than ${maximum} ${unit}`;
}

/** What a name should look like, with examples and the regular expression, as the API server words it. */
export function patternText(rule: string, pattern: string, examples: readonly string[]): string {
  const listed = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${listed}regex used for validation is '${pattern}')`;
}

/** The length in bytes of UTF-8, which is how Kubernetes limits names. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
