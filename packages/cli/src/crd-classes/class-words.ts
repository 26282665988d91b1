/** Converts the name of a property to PascalCase for a class name: `podTemplate` → `PodTemplate`, `x-y` → `XY`. */
export function wordOf(property: string): string {
  const words = property.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('');
}

/** Returns the English singular of a list name, for the class of the items: `policies` → `policy`, `addresses` → `address`. */
export function singular(word: string): string {
  if (/(?:series|species|dns|tls|cors|aws|gcs|kms|is)$/i.test(word)) return word;
  if (/[^aeiou]ies$/i.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh|us)es$/i.test(word)) return word.slice(0, -2);
  if (/[^su]s$/i.test(word)) return word.slice(0, -1);
  return word;
}
