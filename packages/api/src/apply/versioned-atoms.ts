import type { StructuralSchema } from '../schema/structural-schema.js';
import { type Atom, rootAtom } from './atom.js';
import { type Comparison, compareValues } from './compare-values.js';
import type { Steps } from './steps.js';
import { valueErrors, valueErrorText } from './value-errors.js';

/** Returns the schema of a kind in one of its versions, or undefined if the version does not exist. */
export type SchemaOf = (apiVersion: string) => StructuralSchema | undefined;

/**
 * Converts an object to another version of its kind, in steps. The object has no managedFields. Throws an Error if the object cannot be
 * converted.
 */
export type ConvertVersion = (object: object, apiVersion: string) => Steps<object>;

/**
 * Reports that an object cannot be converted to the version of a manager: the object does not match the schema, or the version does not
 * exist.
 */
export class UnconvertibleError extends Error {
  constructor(detail: string, what?: string) {
    super(what === undefined ? detail : `failed to convert ${what}: ${detail}`);
  }
}

/** The types and the objects of a kind in the version of a request and in the versions of its managers. */
export class VersionedAtoms {
  /** The type in the version of the request. */
  readonly own: Atom;
  readonly #version: string;
  readonly #schemaOf: SchemaOf | undefined;
  readonly #convert: ConvertVersion | undefined;

  constructor(
    version: string,
    schema: StructuralSchema,
    {
      schemaOf,
      convert,
    }: { readonly schemaOf?: SchemaOf | undefined; readonly convert?: ConvertVersion | undefined } = {},
  ) {
    this.#version = version;
    this.own = rootAtom(schema);
    this.#schemaOf = schemaOf;
    this.#convert = convert;
  }

  /**
   * Returns the object after a conversion to `apiVersion`, which defaults to the version of the request. Without `convert`, all versions
   * have the same fields, so the function returns the object itself. Throws an UnconvertibleError.
   * @param lead the beginning of the error text: `failed to convert old object`
   */
  *inVersion<T>(object: T, apiVersion = this.#version, lead?: string): Steps<T> {
    const from = (object as Partial<Record<string, unknown>> | undefined)?.['apiVersion'];
    if (this.#convert === undefined || from === apiVersion) return object;
    try {
      return (yield* this.#convert(object as object, apiVersion)) as T;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw new UnconvertibleError(lead === undefined ? error.message : `${lead}: ${error.message}`);
    }
  }

  /** Returns the type in the version of a manager. Throws an UnconvertibleError if the version does not exist. */
  of(apiVersion: string): Atom {
    if (apiVersion === this.#version || this.#schemaOf === undefined) return this.own;
    const schema = this.#schemaOf(apiVersion);
    if (schema === undefined)
      throw new UnconvertibleError(`request to convert CR to an invalid group/version: ${apiVersion}`);
    return rootAtom(schema);
  }

  /**
   * Throws an UnconvertibleError if the object does not match its type in `apiVersion`, which defaults to the version of the request. Does
   * nothing without `schemaOf`.
   */
  check(object: object, apiVersion = this.#version, what?: string): void {
    if (this.#schemaOf === undefined) return;
    const atom = this.of(apiVersion);
    for (const error of valueErrors(object, atom)) {
      // Duplicate list items are allowed, because a conversion checks only the types.
      if (error.isDuplicate !== true) throw new UnconvertibleError(valueErrorText(error), what);
    }
  }

  /**
   * Returns a function that compares two objects in a version, in steps. Each version is compared only once. Throws `FieldTypeError` and
   * `UnconvertibleError`.
   */
  comparison(before: object, after: object, own: Comparison): (apiVersion: string) => Steps<Comparison> {
    const known = new Map([[this.#version, own]]);
    return (apiVersion) => this.#compared(apiVersion, { before, after, known });
  }

  *#compared(
    apiVersion: string,
    {
      before,
      after,
      known,
    }: { readonly before: object; readonly after: object; readonly known: Map<string, Comparison> },
  ): Steps<Comparison> {
    const atom = this.of(apiVersion);
    const done = known.get(atom === this.own ? this.#version : apiVersion);
    if (done !== undefined) return done;
    const old = yield* this.inVersion(before, apiVersion, 'failed to convert old object');
    const next = yield* this.inVersion(after, apiVersion, 'failed to convert new object');
    this.check(old, apiVersion, 'old object');
    this.check(next, apiVersion, 'new object');
    yield;
    const compared = yield* compareValues(old, next, atom);
    known.set(apiVersion, compared);
    return compared;
  }
}
