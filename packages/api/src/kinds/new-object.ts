import { plainCopy } from '../objects/plain-copy.js';
import type { KindRef } from '../objects/kube-object.js';
import { kindOf } from './kind-of.js';

/** What `new` takes, whatever the kind. */
export interface ObjectInit {
  readonly metadata: object;
}

/** The plain, complete object that `new` returns. */
export function newObject(ref: KindRef, init: ObjectInit): object {
  const { apiVersion, kind } = kindOf(ref);
  const given = plainCopy(init, kind) as Record<string, unknown>;
  return { ...given, apiVersion, kind };
}
