const NAMES = [
  'name',
  'labels',
  'spec',
  'status',
  'a',
  'b',
  'app.kubernetes.io/name',
  'value',
  'metadata',
  'managedFields',
  'image',
  'x',
];
const UNUSUAL_NAMES = [
  '',
  '__proto__',
  'constructor',
  'toString',
  '0',
  '1',
  '10',
  '-1',
  '4294967295',
  'ü',
  '\u2028',
  'a"b',
  'a\\b',
  '\u0007',
];
const TEXTS = [
  '',
  'a',
  'info',
  'registry.example.com/app:v1',
  'b'.repeat(130),
  '2030-01-01T00:00:00Z',
  'True',
  '],"managedFields":[',
  'a}]',
];
const UNUSUAL_TEXTS = [
  'ü',
  '😀',
  '\n',
  '\\',
  '"',
  '\u0000',
  '\u2028',
  '\ud800',
  '{"a":[1]}',
  '"managedFields":[',
  '\u007f',
  'c'.repeat(3000),
];
const NUMBERS = ['0', '1', '7', '80', '8080', '-1', '123456789012345', '2147483648', '-2147483649'];
const UNUSUAL_NUMBERS = [
  '-0',
  '0.0',
  '-0.0',
  '1.5',
  '-1.5e3',
  '1e400',
  '-1e-400',
  '1E5',
  '1e+5',
  '01',
  '-',
  '+1',
  '.5',
  '1.',
  '1e',
  '9007199254740993',
  '9007199254740991',
  '-9007199254740993',
  '1234567890123456',
  '0.1234567890123456',
  '00',
  '--1',
  '1.5.5',
  '999999999999999',
  '1e5e5',
];
const UNUSUAL_VALUES = [
  'tru',
  'nul',
  'True',
  'NaN',
  '',
  'undefined',
  '"',
  '"\\x"',
  '"\\ud83d"',
  '"\t"',
  '{',
  '[',
  '{}}',
  '[1,]',
  '{"a":1,}',
  '{,}',
  "'a'",
];

/** Texts with equal hashes, so that different strings and subtrees have the same slot in a table. */
const COLLIDING = ['Aa', 'BB'].flatMap((a) => ['Aa', 'BB'].flatMap((b) => ['Aa', 'BB'].map((c) => a + b + c)));
/** The depths of deeply nested values. */
const DEPTHS = [20, 59, 60, 61, 62, 63, 64, 65, 66, 300];

/** The maximum number of generated subtrees that the generator stores and inserts again. */
const VARIANTS = 24;

/**
 * Generates documents that resemble objects of an API server and their watch events: many equal subtrees, and rarely a value, a name or a
 * byte that is unusual or is not valid JSON. The same seed generates the same documents.
 */
export class RandomDocuments {
  #state: number;
  readonly #subtrees: string[] = [];
  /** The probability of an unusual part. Changes with each document. */
  #unusual = 0;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns the next document. */
  next(): { readonly isEvent: boolean; readonly bytes: Buffer } {
    this.#unusual = this.#chance(0.5) ? 0 : 0.03;
    const isEvent = this.#chance(0.4);
    const object = this.#chance(0.97) ? this.#root() : this.#value(0);
    const type = this.#pick(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR', 'OTHER']);
    const text = isEvent ? `{"type":"${type}","object":${object}}` : object;
    const bytes = Buffer.from(text, 'utf8');
    return { isEvent, bytes: this.#chance(0.15) ? this.#damaged(bytes) : bytes };
  }

  #root(): string {
    const managed = this.#chance(0.6) ? [`"managedFields":${this.#managedFields()}`] : [];
    const metadata = [
      '"name":"n"',
      ...managed,
      `"uid":"${this.#below(this.#chance(0.5) ? 2 : 1e9)}"`,
      `"labels":${this.#chance(0.3) ? '{"app":"a"}' : this.#object(2)}`,
    ];
    if (this.#chance(0.1)) metadata.reverse();
    const parts = ['"apiVersion":"v1"', '"kind":"K"', `"metadata":{${metadata.join(',')}}`, `"spec":${this.#value(0)}`];
    if (this.#chance(0.5)) parts.push(`"status":${this.#value(0)}`);
    if (this.#chance(0.1)) parts.push(parts[this.#below(parts.length)] as string);
    if (this.#chance(0.05)) parts.reverse();
    return `{${parts.join(',')}}`;
  }

  #managedFields(): string {
    if (this.#chance(this.#unusual)) return this.#pick(['null', '{}', '[x]', '[[}]', '["]"]', '["\\"]"]', '1']);
    return `[{"manager":"m","fieldsV1":${this.#value(1)}}]`;
  }

  #value(depth: number): string {
    if (this.#chance(this.#unusual * 0.3)) return this.#pick(UNUSUAL_VALUES);
    if (depth === 0 && this.#chance(this.#unusual * 0.3)) return this.#deep();
    if (this.#chance(0.3) && this.#subtrees.length > 0) return this.#pick(this.#subtrees);
    const kind = this.#below(depth > 4 ? 3 : 6);
    if (kind === 0) return this.#text();
    if (kind === 1) return this.#chance(this.#unusual) ? this.#pick(UNUSUAL_NUMBERS) : this.#pick(NUMBERS);
    if (kind === 2) return this.#pick(['true', 'false', 'null', '{}', '[]']);
    const tree = kind === 3 ? this.#array(depth + 1) : this.#object(depth + 1);
    const variant = this.#below(VARIANTS);
    if (tree.length < 2000) this.#subtrees[Math.min(variant, this.#subtrees.length)] = tree;
    return tree.length < 2000 || depth > 0 ? tree : '{}';
  }

  #deep(): string {
    const depth = this.#pick(DEPTHS);
    const [start, end] = this.#chance(0.5) ? ['[', ']'] : ['{"a":', '}'];
    return start.repeat(depth) + this.#text() + end.repeat(depth);
  }

  #array(depth: number): string {
    return `[${Array.from({ length: this.#below(4) }, () => this.#value(depth)).join(this.#blank(','))}]`;
  }

  #object(depth: number): string {
    const names = new Set(Array.from({ length: this.#below(5) }, () => this.#name()));
    const parts = [...names].map((name) => `${JSON.stringify(name)}${this.#blank(':')}${this.#value(depth)}`);
    if (this.#chance(this.#unusual) && parts[0] !== undefined) parts.push(parts[0]);
    return `{${parts.join(this.#blank(','))}}`;
  }

  #name(): string {
    if (this.#chance(this.#unusual)) return this.#pick(UNUSUAL_NAMES);
    // With rare names, a `Place` of the parser that shares values has more shapes than it can store.
    if (this.#chance(0.02)) return `k${this.#below(1000)}`;
    return this.#chance(0.02) ? this.#pick(COLLIDING) : this.#pick(NAMES);
  }

  #text(): string {
    if (this.#chance(0.2)) return JSON.stringify(`t${this.#below(1e6)}`);
    if (this.#chance(0.05)) return JSON.stringify(this.#pick(COLLIDING));
    return JSON.stringify(this.#chance(this.#unusual) ? this.#pick(UNUSUAL_TEXTS) : this.#pick(TEXTS));
  }

  #blank(separator: string): string {
    return this.#chance(this.#unusual * 0.1) ? `${separator} ` : separator;
  }

  /** Removes, replaces or inserts bytes. */
  #damaged(bytes: Buffer): Buffer {
    const at = this.#below(bytes.length + 1);
    if (this.#chance(0.1)) return this.#withOtherBracket(bytes, at);
    const byte = this.#chance(0.6)
      ? this.#pick([...'{}[],:"\\ 0e-.\n'].map((each) => each.charCodeAt(0)))
      : this.#below(256);
    const kind = this.#below(4);
    if (kind === 0) return bytes.subarray(0, at);
    const end = kind === 1 ? at + 1 : at;
    const replaced = kind === 2 ? Math.min(at + 1 + this.#below(8), bytes.length) : end;
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(kind === 2 ? [] : [byte]), bytes.subarray(replaced)]);
  }

  /** Replaces the first bracket or brace after a position. */
  #withOtherBracket(bytes: Buffer, from: number): Buffer {
    const changed = Buffer.from(bytes);
    const at = changed.findIndex((byte, position) => position >= from && '[]{}'.includes(String.fromCharCode(byte)));
    if (at >= 0) changed.write(this.#pick(['[', ']', '{', '}']), at);
    return changed;
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#below(values.length)] as T;
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  /** Returns a number from 0 up to, not including, 1 (mulberry32). */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
