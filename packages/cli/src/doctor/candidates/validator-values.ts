import { type CelText, member, negation } from './cel-text.js';
import { and, atom, type Condition, FALSE, or, TRUE } from './condition.js';
import { ASCII, BOOLEAN, type Shape, STRING } from './shape.js';
import { constant } from './static-value.js';
import { relation, type Translated, ternary, value } from './translated.js';

/** The values of the parameters of a validator in an expression. */
export interface ValidatorValues {
  readonly object: Translated;
  /** The old object. The constant undefined if the operation is always CREATE. */
  readonly old: Translated;
  /** The request; undefined if expressions cannot read the request. */
  readonly context: Translated | undefined;
}

/**
 * The condition that the old object exists. Rules do not contain this condition, because the API server evaluates a rule with `oldSelf`
 * only for updates.
 */
export const OLD_EXISTS: Condition = relation(member('oldObject'), '!=', member('null'));

/** Returns the values of the parameters in expressions of a policy. `operations` contains CREATE, UPDATE or both. */
export function policyValues(shape: Shape, operations: readonly string[]): ValidatorValues {
  const existence = operations.includes('CREATE') ? OLD_EXISTS : TRUE;
  const old = operations.includes('UPDATE') ? value(member('oldObject'), shape, existence) : constant(undefined);
  return { object: value(member('object'), shape), old, context: CONTEXT };
}

/**
 * Returns the values of the parameters in rules on the complete object. These rules can read the name in the metadata, and all other fields
 * except the status.
 */
export function kindRuleValues(shape: Shape): ValidatorValues | undefined {
  if (shape.type !== 'object') return undefined;
  const of = (name: string, defined: Condition): Translated => {
    const fields = [...shape.fields].filter(([field]) => !['apiVersion', 'kind', 'metadata', 'status'].includes(field));
    const values = fields.map(([field, { shape: own, isRequired }]) => {
      const read = member(`${name}.${field}`);
      const has = member(`has(${read.text})`);
      return [field, value(read, own, isRequired ? defined : and(defined, atom(has, negation(has))))] as const;
    });
    const metadata = members({ name: value(member(`${name}.metadata.name`), ASCII, defined) }, defined);
    return members({ ...Object.fromEntries(values), metadata }, defined);
  };
  return { object: of('self', TRUE), old: of('oldSelf', OLD_EXISTS), context: undefined };
}

/**
 * Returns the values of the parameters in rules on the spec. Returns undefined if the schema has no spec, or if the spec is optional,
 * because the API server does not evaluate these rules for objects without a spec.
 */
export function specRuleValues(shape: Shape): ValidatorValues | undefined {
  const spec = shape.type === 'object' ? shape.fields.get('spec') : undefined;
  if (spec === undefined || !spec.isRequired) return undefined;
  const of = (name: string, defined: Condition): Translated =>
    members({ spec: value(member(name), spec.shape, defined) }, defined);
  return { object: of('self', TRUE), old: of('oldSelf', OLD_EXISTS), context: undefined };
}

/** Returns a condition in which `of` is replaced with true or false. */
export function replaced(condition: Condition, of: Condition, by: boolean): Condition {
  if (condition.kind === 'constant' || of.kind !== 'atom') return condition;
  if (condition.kind === 'atom') {
    if (condition.text.text === of.text.text) return by ? TRUE : FALSE;
    return condition.text.text === of.negated.text ? replaced(of, of, !by) : condition;
  }
  const parts = condition.parts.map((part) => replaced(part, of, by));
  return condition.kind === 'and' ? and(...parts) : or(...parts);
}

function members(of: Readonly<Record<string, Translated>>, defined: Condition = TRUE): Translated {
  return { kind: 'members', members: new Map(Object.entries(of)), defined };
}

function read(path: string, fallback: string): CelText {
  const text = member(path);
  const has = member(`has(${path})`);
  return ternary(atom(has, negation(has)), text, member(fallback));
}

const hasNamespace = member('has(request.namespace)');

/**
 * The context of a validator, which policies read from `request`. The expressions check whether a field is present, because the API server
 * omits empty fields.
 */
const CONTEXT: Translated = members({
  name: value(read('request.name', "''"), STRING),
  namespace: value(member('request.namespace'), ASCII, atom(hasNamespace, negation(hasNamespace))),
  operation: value(member('request.operation'), { type: 'operation' }),
  dryRun: value(read('request.dryRun', 'false'), BOOLEAN),
  user: members({
    name: value(read('request.userInfo.username', "''"), STRING),
    groups: value(read('request.userInfo.groups', '[]'), { type: 'list', item: STRING }),
  }),
});
