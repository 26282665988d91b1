import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '@kubewright/api/json';
import type { WorldState } from './world-state.js';

/** A difference between two worlds. */
export interface Difference {
  /** The object, such as 'Deployment default/web'. */
  readonly object: string;
  /** The path of the field, such as 'spec.replicas'. Empty if only one of the worlds contains the object. */
  readonly path: string;
  /** The value in the first world. Undefined if the value does not exist there. */
  readonly actual: unknown;
  /** The value in the second world. Undefined if the value does not exist there. */
  readonly expected: unknown;
}

/** Returns the fields at which two worlds differ, sorted by the name of the object and then by field. */
export function stateDifferences(actual: WorldState, expected: WorldState): readonly Difference[] {
  const names = [...new Set([...actual.keys(), ...expected.keys()])].toSorted();
  return names.flatMap((object) => {
    const found: Difference[] = [];
    const pair = [actual.get(object), expected.get(object)] as const;
    if (pair[0] === undefined || pair[1] === undefined)
      return [{ object, path: '', actual: pair[0], expected: pair[1] }];
    collect(pair, '', (path, [one, other]) => found.push({ object, path, actual: one, expected: other }));
    return found;
  });
}

type Pair = readonly [actual: unknown, expected: unknown];

function collect([actual, expected]: Pair, path: string, onDifference: (path: string, pair: Pair) => void): void {
  if (isDeepStrictEqual(actual, expected)) return;
  if (isJsonObject(actual) && isJsonObject(expected)) {
    for (const key of [...new Set([...Object.keys(actual), ...Object.keys(expected)])].toSorted())
      collect([actual[key], expected[key]], path === '' ? key : `${path}.${key}`, onDifference);
  } else if (Array.isArray(actual) && Array.isArray(expected) && actual.length === expected.length) {
    for (const [at, item] of actual.entries()) collect([item, expected[at]], `${path}[${at}]`, onDifference);
  } else {
    onDifference(path, [actual, expected]);
  }
}
