/** Returns "must be no more than N bytes". In Kubernetes, messages about names use characters, and messages about labels use bytes. */
export function tooLongText(maximum: number, unit: 'bytes' | 'characters'): string {
  return `must be no more than ${maximum} ${unit}`;
}

/** Returns the required form of a name, with examples and the regular expression, in the wording of the API server. */
export function patternText(rule: string, pattern: string, examples: readonly string[]): string {
  const listed = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${listed}regex used for validation is '${pattern}')`;
}

/** Returns the length in UTF-8 bytes, which is the unit of the Kubernetes limits for names. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
