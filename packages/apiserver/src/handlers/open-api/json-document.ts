import { createHash } from 'node:crypto';
import type { Steps } from '@kubewright/api/apply';

/** The JSON text of a document, and its strong ETag without the quotes. */
export interface JsonDocument {
  readonly text: string;
  readonly hash: string;
}

/** A named part of a document, in the format of the document. */
export type NamedPart<T> = readonly [name: string, content: T];

/** Joins pieces of JSON text into a document, in steps. */
export function* joinSteps(pieces: readonly string[]): Steps<JsonDocument> {
  const hash = createHash('sha512');
  for (const piece of pieces) {
    hash.update(piece);
    yield;
  }
  return { text: pieces.join(''), hash: hash.digest('hex').toUpperCase() };
}

/** Returns the pieces of a JSON object whose fields are the parts. */
export function objectPieces(parts: readonly NamedPart<string>[]): readonly string[] {
  const fields = parts.map(([name, text], at) => `${at === 0 ? '' : ','}${JSON.stringify(name)}:${text}`);
  return ['{', ...fields, '}'];
}

/** Returns the JSON texts of values, in steps. */
export function* textSteps(values: Readonly<Record<string, unknown>>): Steps<readonly NamedPart<string>[]> {
  const parts: NamedPart<string>[] = [];
  for (const [name, value] of Object.entries(values)) {
    parts.push([name, JSON.stringify(value)]);
    yield;
  }
  return parts;
}
