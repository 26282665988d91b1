import { kindSourceOf } from '../metadata/kind-source.js';
import type { KindRef } from '../objects/kube-object.js';
import { plainCopy } from '../objects/plain-copy.js';
import { applyDefaults } from '../schema/apply-defaults.js';
import { kindOf } from './kind-of.js';
import { objectSchemaOf } from './schema-of.js';

/** What `new` takes, whatever the kind. */
export interface ObjectInit {
  readonly metadata: object;
}

/**
 * The plain object that `new` returns: a copy of what was given with `apiVersion` and `kind`, and for kinds of one's own with the
 * defaults of the schema at every depth, as the API server would fill them in.
 */
export function newObject(ref: KindRef, init: ObjectInit): object {
  const { apiVersion, kind } = kindOf(ref);
  const object = { apiVersion, kind, ...(plainCopy(init, kind) as object) };
  const schema = kindSourceOf(ref)?.info.builtIn === true ? undefined : objectSchemaOf(ref);
  return schema === undefined ? object : (applyDefaults(object, schema) as object);
}
