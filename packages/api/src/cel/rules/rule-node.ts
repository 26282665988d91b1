import type { Steps } from '../../apply/steps.js';
import { isJsonMap } from '../../schema/json-shape.js';
import type { StructuralSchema } from '../../schema/structural-schema.js';
import { type CompiledRule, compileRule, ruleSubject } from './compile-rules.js';
import { declareType } from '../check/declared-type.js';
import type { FunctionTable } from '../check/environment.js';
import { ValueReader } from '../values/schema-values.js';

/** The rules of a schema and of its nested schemas. A schema has no node if neither the schema nor a nested schema has rules. */
export interface RuleNode {
  readonly schema: StructuralSchema;
  readonly rules: readonly CompiledRule[];
  readonly usesOldSelf: boolean;
  readonly reader: ValueReader;
  readonly items: RuleNode | undefined;
  readonly values: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
}

interface Options {
  readonly root: boolean;
  readonly functions: FunctionTable;
}

/** Compiles the rules of a schema and of its nested schemas, in steps. Returns undefined if there are no rules. */
export function* compileNode(schema: StructuralSchema, { root, functions }: Options): Steps<RuleNode | undefined> {
  const rules = yield* ownRules(schema, { root, functions });
  const properties = new Map<string, RuleNode>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const node = yield* compileWithin(property, functions);
    if (node !== undefined && declareType(property, name) !== undefined) properties.set(name, node);
  }
  const items = yield* compileWithin(schema.items, functions);
  const values = yield* compileWithin(schema.additionalProperties, functions);
  if (rules.length === 0 && items === undefined && values === undefined && properties.size === 0) return undefined;
  const usesOldSelf = rules.some((rule) => rule.usesOldSelf);
  return { schema, rules, usesOldSelf, reader: new ValueReader(schema, root), items, values, properties };
}

function* ownRules(schema: StructuralSchema, options: Options): Steps<readonly CompiledRule[]> {
  const own = schema['x-kubernetes-validations'] ?? [];
  const subject = own.length === 0 ? undefined : ruleSubject(schema, options);
  if (subject === undefined) return [];
  const rules: CompiledRule[] = [];
  for (const rule of own) {
    rules.push(compileRule(rule, subject));
    yield;
  }
  return rules;
}

function* compileWithin(schema: unknown, functions: FunctionTable): Steps<RuleNode | undefined> {
  if (!isJsonMap(schema)) return undefined;
  return yield* compileNode(schema, { root: schema['x-kubernetes-embedded-resource'] === true, functions });
}
