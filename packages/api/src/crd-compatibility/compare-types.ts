import type { StructuralSchema } from '../schema/structural-schema.js';
import type { LocalFinding } from './compatibility-finding.js';
import { type SchemaPair, widened } from './schema-pair.js';

/** The type of values that a schema allows: a JSON type, 'int-or-string', or 'anything'. */
export type ValueType = string;

const WIDER: Readonly<Record<ValueType, readonly ValueType[]>> = {
  integer: ['number', 'int-or-string'],
  string: ['int-or-string'],
};

/** Returns the type of the values of a schema. */
export function typeOf(schema: StructuralSchema): ValueType {
  if (schema['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  return schema.type || 'anything';
}

/** Returns the effects of a changed type, and whether the other keywords of the two schemas are comparable. */
export function compareTypes(pair: SchemaPair): {
  readonly findings: readonly LocalFinding[];
  readonly comparable: boolean;
} {
  const [before, after] = [typeOf(pair.before), typeOf(pair.after)];
  if (before === after) return { findings: embeddings(pair), comparable: true };
  const change = `type ${before} → ${after}`;
  if (after === 'anything' || WIDER[before]?.includes(after) === true) {
    const reason = `whatever is ${nounOf(before)} is accepted as it was; clients that read it may now find something else`;
    return { findings: [widened(pair, change, reason), ...embeddings(pair)], comparable: true };
  }
  const reason = 'what is stored has the old type: clients cannot read it, and server-side apply refuses the object';
  const cure = 'keep the field, add one with the new type and another name, and let the controller read both';
  return { findings: [{ path: pair.path || '.', change, class: 'breaking', reason, cure }], comparable: false };
}

function nounOf(type: ValueType): string {
  return type === 'int-or-string' ? 'a number or a string' : type === 'anything' ? type : `of type ${type}`;
}

/** An embedded resource must have an apiVersion, a kind and valid metadata. The API server validates them at every change. */
function embeddings({ path, before, after }: SchemaPair): readonly LocalFinding[] {
  const key = 'x-kubernetes-embedded-resource';
  const [was, is] = [before[key] === true, after[key] === true];
  if (was === is) return [];
  if (is) {
    const reason = 'values without apiVersion and kind, or with metadata that is none, are refused at every change';
    const cure = 'say in a rule (CEL) on the field what you need of it: the server lets be what is stored';
    return [{ path, change: `${key} is set`, class: 'breaking', reason, cure }];
  }
  const change = `${key} is not set any more`;
  if (after['x-kubernetes-preserve-unknown-fields'] === true) return [widened({ path }, change)];
  const reason = 'apiVersion, kind and metadata are dropped from what is stored, unless the schema names them';
  const cure = `keep ${key}, or set x-kubernetes-preserve-unknown-fields`;
  return [{ path, change, class: 'breaking', reason, cure }];
}
