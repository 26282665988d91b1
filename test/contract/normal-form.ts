/** Replaces values that differ between runs and between servers with their type in angle brackets. */
export class NormalForm {
  /** Replacements by text. The longest text is replaced first, because it may contain other texts. */
  readonly #names = new Map<string, string>();

  /** Replaces `text` with `shown` everywhere from now on. */
  name(text: string, shown: string): void {
    if (text === '' || this.#names.has(text)) return;
    this.#names.set(text, shown);
  }

  /** Returns the value with sorted keys and all replacements. */
  value(value: unknown, key = ''): unknown {
    if (Array.isArray(value)) {
      const items = key === 'managedFields' ? inOneSecond(value as ManagedFields[]) : value;
      return items.map((item) => this.value(item, key));
    }
    if (typeof value === 'object' && value !== null) return this.#object(value as Record<string, unknown>);
    if (typeof value === 'number') return key === 'nodePort' && value >= 30_000 ? '<port>' : value;
    return typeof value === 'string' ? this.#field(value, key) : value;
  }

  text(text: string): string {
    let shown = text;
    const names = [...this.#names].toSorted(([a], [b]) => b.length - a.length);
    for (const [name, replacement] of names) shown = shown.replaceAll(name, replacement);
    for (const [pattern, replacement] of patterns) shown = shown.replace(pattern, replacement);
    return shown;
  }

  #object(value: Record<string, unknown>): Record<string, unknown> {
    const { name, generateName } = value;
    if (typeof name === 'string' && typeof generateName === 'string' && name.startsWith(generateName)) {
      this.name(name, `${generateName}<generated>`);
    }
    const keys = Object.keys(value).toSorted();
    return Object.fromEntries(keys.map((key) => [this.text(key), this.value(value[key], key)]));
  }

  #field(text: string, key: string): string {
    if (text === '') return text;
    if (key === 'resourceVersion' && text !== '0') return '<version>';
    if (key === 'continue') return '<continue>';
    if (key === 'description') return '<prose>';
    return this.text(text);
  }
}

interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
}
/**
 * Sorts managed fields as if all recent writes had happened in the same second: servers sort them by time, then by name. If a case compares
 * only parts of the entries, their order is unchanged.
 */
function inOneSecond(managers: readonly ManagedFields[]): readonly ManagedFields[] {
  if (!managers.every(({ operation, time }) => operation !== undefined && time !== undefined)) return managers;
  const aMomentAgo = Date.now() - 3_600_000;
  const keyOf = ({ manager, operation, apiVersion, time = '' }: ManagedFields): string =>
    [operation, Date.parse(time) > aMomentAgo ? 'now' : time, manager, apiVersion].join(' ');
  return managers.toSorted((a, b) => Number(keyOf(a) > keyOf(b)) - Number(keyOf(a) < keyOf(b)));
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '<time>'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/\b(?:127\.0\.0\.1|localhost):\d+\b/g, '<server>'],
  [/\b10\.(?:96|24[4-7])\.\d+\.\d+\b/g, '<ip>'],
  [
    /(too old resource version: |The resourceVersion for the provided list is too old\D*)\d+ \(\d+\)/g,
    '$1<version> (<version>)',
  ],
  [/\b0xc[0-9a-f]{9}\b/g, '<pointer>'],
  // Versions in YAML.
  [/^( *resourceVersion: ")[1-9]\d*/gm, '$1<version>'],
  // Versions in a query, except versions that a case makes up: short versions, and versions in the future.
  [/\b(resourceVersion=)[1-9]\d{2,7}\b/g, '$1<version>'],
  [/\b(continue=)[\w-]{20,}/g, '$1<continue>'],
  [/(Too large resource version: \d+, current: )\d+/g, '$1<version>'],
  // A client with two equal time limits reports either of them.
  [
    /(?:context deadline exceeded|net\/http: request canceled)(?: \(Client\.Timeout exceeded while awaiting headers\))?/g,
    'context deadline exceeded',
  ],
  // Versions in the text of an object that an error message contains.
  [/(\\*"resourceVersion\\*":\\*")[1-9]\d*/g, '$1<version>'],
  [/(match the ResourceVersion in record \()\d+/g, '$1<version>'],
];
