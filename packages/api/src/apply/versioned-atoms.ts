import type { StructuralSchema } from '../schema/structural-schema.js';
import { type Atom, rootAtom } from './atom.js';
import { type Comparison, compareValues } from './compare-values.js';
import type { Steps } from './steps.js';
import { valueErrors, valueErrorText } from './value-errors.js';

/** The schema of a kind in one of its versions; undefined for a version that is not there any more. */
export type SchemaOf = (apiVersion: string) => StructuralSchema | undefined;

/** An object is, in the version of a manager, not what that version says of it. */
export class UnconvertibleError extends Error {
  constructor(detail: string, what?: string) {
    super(what === undefined ? detail : `failed to convert ${what}: ${detail}`);
  }
}

/** The types of a kind in the version of a request, and in those in which its managers know the object. */
export class VersionedAtoms {
  /** That of the request. */
  readonly own: Atom;
  readonly #version: string;
  readonly #schemaOf: SchemaOf | undefined;

  constructor(version: string, schema: StructuralSchema, schemaOf?: SchemaOf) {
    this.#version = version;
    this.own = rootAtom(schema);
    this.#schemaOf = schemaOf;
  }

  /** The type in the version of a manager. Throws an UnconvertibleError where there is no such version. */
  of(apiVersion: string): Atom {
    if (apiVersion === this.#version || this.#schemaOf === undefined) return this.own;
    const schema = this.#schemaOf(apiVersion);
    if (schema === undefined)
      throw new UnconvertibleError(`request to convert CR to an invalid group/version: ${apiVersion}`);
    return rootAtom(schema);
  }

  /** Throws an UnconvertibleError when the object is none of its type in that version, or in that of the request. */
  check(object: object, apiVersion = this.#version, what?: string): void {
    if (this.#schemaOf === undefined) return;
    const atom = this.of(apiVersion);
    for (const error of valueErrors(object, atom)) {
      if (!isDuplicate(error.detail)) throw new UnconvertibleError(valueErrorText(error), what);
    }
  }

  /** Compares two objects once in each requested version, in steps. Throws `FieldTypeError` and `UnconvertibleError`. */
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
    this.check(before, apiVersion, 'old object');
    this.check(after, apiVersion, 'new object');
    yield;
    const compared = yield* compareValues(before, after, atom);
    known.set(apiVersion, compared);
    return compared;
  }
}

/** Those are let through where a type is only looked up. */
function isDuplicate(detail: string): boolean {
  return detail.startsWith('duplicate entries');
}
