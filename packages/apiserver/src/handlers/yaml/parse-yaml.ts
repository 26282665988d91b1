import { createRequire } from 'node:module';
import type { Steps } from '@kubewright/api/apply';
import { setField } from '@kubewright/api/json';
import { messageOf } from '@kubewright/api/errors';
import type { Composer, CST, LineCounter, Node, ScalarTag, Tags } from 'yaml';
import { InvalidYamlError } from './invalid-yaml-error.js';
import { plainYaml } from './plain-yaml.js';
import { ValueCounter } from './value-counter.js';

const require = createRequire(import.meta.url);
const TAG = 'tag:yaml.org,2002:';
/** The range of signed and unsigned 64-bit integers. Kubernetes reads integers outside of this range as floating-point numbers. */
const [LEAST, MOST] = [-(2n ** 63n), 2n ** 64n - 1n];
/**
 * The maximum nesting depth. The `yaml` library calls itself recursively for each level. If the stack overflows while a regular expression
 * is compiled, the process ends. Therefore, `tokens` checks the depth before the composer receives the tokens.
 */
const MOST_LEVELS = 500;
/** The maximum number of tags and anchors before a value: one of each for a map, and one of each for its first key. */
const MOST_PROPERTIES = 4;

/** The options of `parseYaml` and `parsePlainYaml`. */
export interface ParseYamlOptions {
  /** Whether a repeated key of an object is an error. If false, the last value of the key applies. @default true */
  readonly uniqueKeys?: boolean;
  /** The maximum number of JSON values. @default Infinity */
  readonly mostValues?: number;
}

/**
 * Parses YAML or JSON and returns the documents, with the rules of kubectl and kube-apiserver. As in YAML 1.1, `on` is true and `0644` is
 * an octal number. Unlike in YAML 1.1, `2026-01-01` and `12:30` are strings. An integer of up to 64 bits that a number cannot represent
 * exactly is a `bigint`. An empty document is null.
 *
 * @throws InvalidYamlError with the position for a text that is not valid YAML
 * @throws TooManyValuesError for more values than `mostValues`
 */
export function parseYaml(text: string, { uniqueKeys = true, mostValues }: ParseYamlOptions = {}): readonly unknown[] {
  return documentsIn(text, mostValues, (contents) => {
    const [repeated] = uniqueKeys ? repeatedKeys(contents) : [];
    if (repeated !== undefined) throw new Problem('Map keys must be unique', repeated.offset);
  });
}

/** The first document of a text, and what kube-apiserver reports about its repeated keys. */
export interface YamlBody {
  readonly value: unknown;
  /** One line for each repeated key, such as `line 7: key "a" already set in map`. */
  readonly repeated: readonly string[];
}

/** Parses the first document of a text like `parseYaml`. If a key is repeated, the last value of the key applies. */
export function parseYamlBody(text: string, { mostValues }: Pick<ParseYamlOptions, 'mostValues'> = {}): YamlBody {
  let repeated: readonly string[] | undefined;
  const [value = null] = documentsIn(text, mostValues, (contents, lines) => {
    repeated ??= repeatedKeys(contents).map(({ key, valueOffset }) => {
      const shown = typeof key === 'string' ? JSON.stringify(key) : String(key);
      return `line ${lines.linePos(valueOffset).line}: key ${shown} already set in map`;
    });
  });
  return { value, repeated: repeated ?? [] };
}

/** Parses all documents. Calls `check` with the content of each document. */
function documentsIn(
  text: string,
  mostValues = Number.POSITIVE_INFINITY,
  check: (contents: Node | null, lines: LineCounter) => void,
): readonly unknown[] {
  // The library is loaded on first use, because most servers and tests never parse YAML.
  const { LineCounter } = require('yaml') as typeof import('yaml');
  const lines = new LineCounter();
  const counter = new ValueCounter(mostValues);
  try {
    return [...composer().compose(tokens(text, lines))].map((document) => {
      const [problem] = document.errors;
      if (problem !== undefined) throw new Problem(problem.message, problem.pos[0]);
      check(document.contents, lines);
      return narrowed(document.toJS(), counter);
    });
  } catch (cause) {
    if (cause instanceof Problem) {
      const { line, col } = lines.linePos(cause.offset);
      throw new InvalidYamlError(`${cause.message} at line ${line}, column ${col}`, { line, cause });
    }
    // The library throws a ReferenceError for an unknown alias and for too many aliases.
    if (cause instanceof ReferenceError) throw new InvalidYamlError(messageOf(cause), { cause });
    throw cause;
  }
}

/**
 * Parses a document of plain YAML in steps, with the same result as `parseYaml`. Returns undefined if the text uses other features of YAML
 * or is invalid. The caller then calls `parseYaml`.
 */
export function* parsePlainYaml(
  text: string,
  { uniqueKeys = true, mostValues = Number.POSITIVE_INFINITY }: ParseYamlOptions = {},
): Steps<{ readonly value: unknown } | undefined> {
  const { isScalar, Schema } = require('yaml') as typeof import('yaml');
  const { tags } = new Schema({ schema: 'yaml-1.1', customTags: kubernetesTags, resolveKnownTags: false });
  const scalars = tags.filter(
    (tag): tag is ScalarTag => tag.default === true && 'test' in tag && tag.test !== undefined,
  );
  const resolve = (scalar: string): unknown => {
    const tag = scalars.find(({ test }) => test?.test(scalar));
    if (tag === undefined) return scalar;
    const value = tag.resolve(scalar, () => undefined, { intAsBigInt: true });
    return narrowedScalar(isScalar(value) ? value.value : value);
  };
  // The first call of this function loads the library. Loading takes long enough for a step.
  yield;
  return yield* plainYaml(text, { uniqueKeys, resolve, counter: new ValueCounter(mostValues) });
}

/** An error in a text, with its offset in characters. */
class Problem extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/**
 * Returns a composer that stops at the first error. A default composer collects all errors, which can be as many as the characters of the
 * text.
 */
function composer(): Composer {
  const yaml = require('yaml') as typeof import('yaml');
  const made = new yaml.Composer({
    version: '1.1',
    intAsBigInt: true,
    // The check of the library compares each key with all other keys. `repeatedKeys` is faster.
    uniqueKeys: false,
    // The library writes warnings about texts of clients to the standard error of the process.
    logLevel: 'error',
    customTags: kubernetesTags,
    prettyErrors: false,
  });
  let first: Problem | undefined;
  const onError = (source: ErrorSource, _code: string, message: string, isWarning?: boolean): void => {
    if (isWarning === true) return;
    // The library catches an error that is thrown within a map or list, and reports its text as an error of the map or list.
    first ??= new Problem(message, offsetOf(source));
    throw first;
  };
  return Object.assign(made, { onError });
}

type ErrorSource = number | readonly [number, number] | { readonly offset: number };

function offsetOf(source: ErrorSource): number {
  if (typeof source === 'number') return source;
  return 'offset' in source ? source.offset : source[0];
}

/** Returns the tokens of a text. Ends early if the composer will reject them, because a long invalid text needs much memory. */
function* tokens(text: string, lines: LineCounter) {
  const { Lexer, Parser } = require('yaml') as typeof import('yaml');
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const properties = new PropertyCounter();
  let isRejected = false;
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > MOST_LEVELS) throw new InvalidYamlError('exceeded max depth');
    properties.add(lexeme);
    isRejected = properties.count > MOST_PROPERTIES || hasContentAfterEnd(parser.stack.at(-1));
    if (isRejected) break;
  }
  yield* parser.end();
  // The composer throws a more precise error first.
  if (isRejected) throw new Problem('Unexpected content', parser.offset);
}

/** Counts the tags and anchors that follow each other without a value between them. */
class PropertyCounter {
  count = 0;
  readonly #cst = (require('yaml') as typeof import('yaml')).CST;
  #isBeforeScalar = false;

  add(lexeme: string): void {
    const { SCALAR, tokenType } = this.#cst;
    const type = this.#isBeforeScalar ? 'scalar' : tokenType(lexeme);
    this.#isBeforeScalar = !this.#isBeforeScalar && lexeme === SCALAR;
    if (type === 'tag' || type === 'anchor') this.count += 1;
    else if (!isBetweenValues(type)) this.count = 0;
  }
}

/** Whether a value is complete, and another value follows without a separator. */
function hasContentAfterEnd(token: CST.Token | undefined): boolean {
  const last = token !== undefined && 'end' in token ? token.end?.at(-1)?.type : undefined;
  return last !== undefined && !isBetweenValues(last) && last !== 'flow-seq-end' && last !== 'flow-map-end';
}

/** Whether a token of this type can stand between a value and the token that ends it. */
function isBetweenValues(type: CST.TokenType | null): boolean {
  return type === 'space' || type === 'newline' || type === 'comment';
}

/** A key that an object contains more than once. */
interface RepeatedKey {
  readonly key: unknown;
  readonly offset: number;
  readonly valueOffset: number;
}

/** Returns the repeated keys of all maps. As in Go, the keys within a value precede the key of the value. */
function repeatedKeys(contents: Node | null): readonly RepeatedKey[] {
  const { isMap, isScalar, isSeq } = require('yaml') as typeof import('yaml');
  const found: RepeatedKey[] = [];
  const walk = (node: unknown): void => {
    if (isSeq(node)) for (const item of node.items) walk(item);
    if (!isMap<Node, Node | null>(node)) return;
    const known = new Set<unknown>();
    for (const { key, value } of node.items) {
      walk(value);
      if (!isScalar(key)) continue;
      const offset = key.range?.[0] ?? 0;
      if (known.has(key.value)) found.push({ key: key.value, offset, valueOffset: value?.range?.[0] ?? offset });
      known.add(key.value);
    }
  };
  walk(contents);
  return found;
}

/**
 * Returns the tags of YAML 1.1 as Kubernetes supports them: without timestamps and times, with a second octal notation, and with binary
 * values as strings.
 */
function kubernetesTags(tags: Tags): Tags {
  const known = tags.filter((tag) => {
    if (typeof tag === 'string') return true;
    return tag.tag !== `${TAG}timestamp` && tag.tag !== `${TAG}binary` && !('format' in tag && tag.format === 'TIME');
  });
  return [
    // The library reads a point without digits as a number.
    { tag: `${TAG}str`, default: true, test: /^[-+]?\.[._]*$/, resolve: (text: string) => text },
    ...known,
    { tag: `${TAG}int`, default: true, test: /^[-+]?0o[0-7_]+$/, resolve: octal },
    { tag: `${TAG}binary`, resolve: (text: string) => Buffer.from(text, 'base64').toString() },
  ];
}

function octal(text: string): bigint {
  const value = BigInt(text.replace(/^[-+]/, '').replaceAll('_', ''));
  return text.startsWith('-') ? -value : value;
}

/**
 * Copies a value, and converts each `bigint` that is a safe integer or exceeds 64 bits to a number. Each alias gets its own copy of the
 * anchor's value, and the counter counts the values of each copy. Throws for too many levels, also because an anchor contains itself.
 */
function narrowed(value: unknown, counter: ValueCounter, level = 0): unknown {
  counter.add();
  if (typeof value !== 'object' || value === null) return narrowedScalar(value);
  if (level > MOST_LEVELS) throw new InvalidYamlError('exceeded max depth');
  if (Array.isArray(value)) return value.map((item) => narrowed(item, counter, level + 1));
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    setField(copy, key, narrowed((value as Record<string, unknown>)[key], counter, level + 1));
  }
  return copy;
}

function narrowedScalar(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) || value < LEAST || value > MOST ? Number(value) : value;
}
