import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { CutParser, type ObjectParser } from '../cache/parsing/object-parser.js';
import { SharingParser } from '../cache/parsing/sharing-parser.js';
import { SharedValues } from '../cache/parsing/sharing-reader.js';
import { RandomDocuments } from './random-documents.js';
import { smallerFailure } from './smaller-failure.js';

/** The number of consecutive documents of one kind, and of consecutive documents whose parsers share values. */
const KIND_DOCUMENTS = 10_000;
const SHARED_DOCUMENTS = 100_000;
/**
 * The interval of the documents that are also parsed after each possible truncation. Omits documents of more than `MAX_TRUNCATED_BYTES`.
 */
const TRUNCATED_EVERY = 200;
const MAX_TRUNCATED_BYTES = 1000;

/** JSON of an object, or of a watch event. */
export interface ParsedDocument {
  readonly bytes: Buffer;
  readonly isEvent: boolean;
}

/** The result of a parser: the value and the number of parsed bytes, or the message of an error. */
export type Parsed = { readonly value: unknown; readonly bytes: number } | { readonly error: string };

/** A document that the parsers do not parse equally. */
export interface ParserDefect {
  /** The number of the document. */
  readonly at: number;
  /** A few documents with the same defect. The defect is in the result of the last document. */
  readonly documents: readonly ParsedDocument[];
}

export interface ParserReport {
  /** The number of documents whose values are shared, and of documents that are not valid JSON. */
  readonly shared: number;
  readonly invalid: number;
  readonly defect: ParserDefect | undefined;
}

/**
 * Parses generated documents with the parser that shares values and with the complete parser. Stops at the first document with different
 * results. A parser reads `KIND_DOCUMENTS` documents, and then a parser of another kind continues with the same shared values.
 * @param range the numbers of the first document, rounded down to a multiple of `SHARED_DOCUMENTS`, and after the last document
 */
export function compareParsers(
  seed: number,
  range: { readonly from: number; readonly to: number },
  onProgress: (parsed: number) => void = () => undefined,
): ParserReport {
  let [shared, invalid] = [0, 0];
  const first = range.from - (range.from % SHARED_DOCUMENTS);
  for (let start = first; start < range.to; start += SHARED_DOCUMENTS) {
    const documents = documentsOf(seed, start, Math.min(start + SHARED_DOCUMENTS, range.to));
    const parsers = new ComparedParsers();
    let at = start;
    for (const document of documents) {
      const outcome = parsers.compare(document, at - start);
      if (outcome === 'different') {
        const before = [...documentsOf(seed, start, at + 1)];
        return { shared, invalid, defect: { at, documents: smallerFailure(before, isDifferent) } };
      }
      if (outcome === 'shared') shared++;
      else if (outcome === 'invalid') invalid++;
      at++;
    }
    onProgress(at);
  }
  return { shared, invalid, defect: undefined };
}

/** Returns the result of a parser for a document. */
export function parsed(parser: ObjectParser, { bytes, isEvent }: ParsedDocument): Parsed {
  try {
    const value = isEvent ? parser.parseEvent(bytes) : parser.parseObject(bytes);
    return { value, bytes: parser.parsedBytes };
  } catch (error) {
    return { error: String(error) };
  }
}

/** Whether two values are equal, including the order of properties, the prototypes and the sign of 0. */
export function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  const [names, others] = [Object.getOwnPropertyNames(a), Object.getOwnPropertyNames(b)];
  return (
    names.length === others.length &&
    names.every((name, at) => name === others[at] && isSame(a[name as keyof object], b[name as keyof object]))
  );
}

/** Whether a value is frozen at every depth. */
export function isFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozen);
}

type Outcome = 'equal' | 'shared' | 'invalid' | 'different';

/** The complete parser, and the parser that shares values. */
class ComparedParsers {
  readonly #complete = new CutParser();
  readonly #values = new SharedValues();
  #sharing = new SharingParser(this.#values, 0);

  /** Compares the results for a document. `at` is the number of earlier documents. */
  compare(document: ParsedDocument, at: number): Outcome {
    if (at % KIND_DOCUMENTS === KIND_DOCUMENTS - 1) this.#sharing = new SharingParser(this.#values, 0);
    const outcome = this.#compareOne(document);
    const { bytes, isEvent } = document;
    if (outcome === 'different' || at % TRUNCATED_EVERY !== 0 || bytes.length > MAX_TRUNCATED_BYTES) return outcome;
    for (let end = 0; end < bytes.length; end++)
      if (this.#compareOne({ bytes: bytes.subarray(0, end), isEvent }) === 'different') return 'different';
    return outcome;
  }

  #compareOne(document: ParsedDocument): Outcome {
    const [expected, actual] = [parsed(this.#complete, document), parsed(this.#sharing, document)];
    if ('error' in expected) return isDeepStrictEqual(actual, expected) ? 'invalid' : 'different';
    if ('error' in actual || actual.bytes !== expected.bytes || !isSame(actual.value, expected.value))
      return 'different';
    const value = actual.value as { readonly object?: unknown } | null;
    const object = (document.isEvent ? value?.object : value) as { readonly metadata?: unknown } | null;
    if (!(object?.metadata instanceof Object && Object.isFrozen(object.metadata))) return 'equal';
    return Object.values(object).every(isFrozen) ? 'shared' : 'different';
  }
}

/** Whether new parsers parse the last of these documents differently. */
function isDifferent(documents: readonly ParsedDocument[]): boolean {
  const parsers = new ComparedParsers();
  const outcomes = documents.map((document, at) => parsers.compare(document, at));
  return outcomes.at(-1) === 'different';
}

function* documentsOf(seed: number, from: number, to: number): Generator<ParsedDocument> {
  const documents = new RandomDocuments(Math.imul(seed, 0x9e3779b1) ^ from);
  for (let at = from; at < to; at++) yield documents.next();
}

/**
 * Fails if the parsers do not parse the generated documents equally, or if too few of these documents have shared values or are not valid
 * JSON.
 */
export function assertEqualParsers(documents: number): void {
  const seed = Number(process.env['KUBEWRIGHT_SEED'] ?? 1);
  const { shared, invalid, defect } = compareParsers(seed, { from: 0, to: documents });
  const smallest = defect?.documents.map(({ bytes }) => bytes.toString('latin1')).join('\n');
  assert.equal(
    defect,
    undefined,
    `seed ${seed}, document ${defect?.at}, smallest documents with the defect:\n${smallest}`,
  );
  assert.ok(shared > documents * 0.15, `${shared} documents with shared values`);
  assert.ok(invalid > documents * 0.05, `${invalid} invalid documents`);
}
