import { Breaks, type Steps } from '@kubewright/api/apply';
import { duplicateFieldsSteps, visitFieldsSteps } from '@kubewright/api/json';
import type { JsonDraft } from '../objects/api-object.js';
import { isObject } from '../objects/json-object.js';
import { inOrder } from './refused-body.js';
import type { RequestContext } from '../requests/request-context.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';

/** The number of distinct errors after which the JSON decoder of kube-apiserver stops recording strict errors. */
export const mostDecoderErrors = 100;

/**
 * Returns up to `mostDecoderErrors` messages about the repeated fields of a body, and about the fields that the kind of the body does not
 * declare. The limit applies neither to the undeclared fields of custom resources nor to the result of a strategic merge patch.
 */
export function* fieldFaults(
  unknown: readonly string[],
  body: JsonDraft,
  { definition, context }: { readonly definition: ResourceDefinition; readonly context: RequestContext },
): Steps<readonly string[]> {
  const { bodyText } = context;
  if (definition.custom) return [...(yield* repetitions(bodyText ?? '')), ...unknown.toSorted().map(unknownField)];
  if (bodyText === undefined) {
    // The JSON decoder does not read the result of a strategic merge patch, so the limit of the decoder does not apply. Such a patch sets
    // `shownPatch`.
    const most = context.shownPatch === undefined ? mostDecoderErrors : Infinity;
    // A single field does not need to be ordered.
    if (unknown.length < 2) return unknown.map(unknownField);
    const ordered = yield* inOrder(body, context);
    return (yield* inOrderOf(ordered, unknown, most)).map(unknownField);
  }
  return yield* textFaults(bodyText, unknown);
}

/** Returns the error text for the repeated keys of a YAML body. */
export function repeatedKeysFault(repeatedKeys: readonly string[]): string {
  return ['yaml: unmarshal errors:', ...repeatedKeys].join('\n  ');
}

function* repetitions(text: string): Steps<readonly string[]> {
  const repeated = yield* duplicateFieldsSteps(text);
  return repeated.slice(0, mostDecoderErrors).map((path) => `duplicate field ${JSON.stringify(path)}`);
}

/** Returns the messages in the order of the fields in the body. Fields within an unknown field are not reported. */
function* textFaults(text: string, unknown: readonly string[]): Steps<readonly string[]> {
  const foreign = new Set(unknown);
  const errors = new Set<string>();
  let inside: string | undefined;
  yield* visitFieldsSteps(text, (pathOf, repeated) => {
    if (errors.size === mostDecoderErrors || (foreign.size === 0 && !repeated)) return;
    const path = pathOf();
    if (inside !== undefined && isBelow(path, inside)) return;
    inside = foreign.has(path) ? path : undefined;
    if (inside !== undefined) errors.add(unknownField(path));
    else if (repeated) errors.add(`duplicate field ${JSON.stringify(path)}`);
  });
  return [...errors];
}

function isBelow(path: string, parent: string): boolean {
  return path.startsWith(parent) && /^[.[]/.test(path.slice(parent.length));
}

/**
 * Returns up to `most` of the paths, in the order of the fields in the body. Works in steps. Paths that the body does not contain are last.
 */
function* inOrderOf(body: unknown, paths: readonly string[], most: number): Steps<readonly string[]> {
  const breaks = new Breaks();
  const desired = new Set(paths);
  const found: string[] = [];
  /** Returns whether the search continues. */
  const walk = function* (value: unknown, path: string): Steps<boolean> {
    if (breaks.isDue()) yield;
    if (desired.delete(path)) found.push(path);
    if (found.length === most || desired.size === 0) return false;
    if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) if (!(yield* walk(item, `${path}[${at}]`))) return false;
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) {
        if (!(yield* walk(value[key], path === '' ? key : `${path}.${key}`))) return false;
      }
    }
    return true;
  };
  yield* walk(body, '');
  return [...found, ...desired].slice(0, most);
}

function unknownField(path: string): string {
  return `unknown field ${JSON.stringify(path)}`;
}
