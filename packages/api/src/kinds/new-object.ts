import { kindSourceOf } from '../metadata/kind-source.js';
import type { KindRef } from '../objects/kube-object.js';
import { plainCopy } from '../objects/plain-copy.js';
import { applyDefaults } from '../schema/apply-defaults.js';
import { kindOf } from './kind-of.js';
import { objectSchemaOf } from './schema-of.js';

/** The argument of `new` for any kind. */
export interface ObjectInit {
  readonly metadata: object;
}

/**
 * Returns the plain object that `new` returns: a copy of `init` with `apiVersion` and `kind`. Custom kinds also get the defaults of the
 * schema at every depth, as the API server applies them.
 */
export function newObject(ref: KindRef, init: ObjectInit): object {
  const { apiVersion, kind } = kindOf(ref);
  const object = { apiVersion, kind, ...(plainCopy(init, kind) as object) };
  const schema = kindSourceOf(ref)?.info.builtIn === true ? undefined : objectSchemaOf(ref);
  return schema === undefined ? object : (applyDefaults(object, schema) as object);
}
