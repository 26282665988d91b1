import { isJsonMap } from '../../schema/json-shape.js';
import type { StructuralSchema } from '../../schema/structural-schema.js';
import { type CompiledRule, compileRules } from './compile-rules.js';
import { declareType } from '../check/declared-type.js';
import type { FunctionTable } from '../check/environment.js';
import { ValueReader } from '../values/schema-values.js';

/** The rules of one schema and those of the schemas within it; schemas without rules have none. */
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

/** Compiles the rules of a schema and of those within; undefined if there are none. */
export function compileNode(schema: StructuralSchema, { root, functions }: Options): RuleNode | undefined {
  const own = (schema['x-kubernetes-validations'] ?? []).length > 0;
  const rules = own ? (compileRules(schema, { root, functions })?.rules ?? []) : [];
  const within = (child: unknown): RuleNode | undefined => {
    if (!isJsonMap(child)) return undefined;
    return compileNode(child, { root: child['x-kubernetes-embedded-resource'] === true, functions });
  };
  const properties = new Map<string, RuleNode>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const node = within(property);
    if (node !== undefined && declareType(property, name) !== undefined) properties.set(name, node);
  }
  const [items, values] = [within(schema.items), within(schema.additionalProperties)];
  if (rules.length === 0 && items === undefined && values === undefined && properties.size === 0) return undefined;
  const usesOldSelf = rules.some((rule) => rule.usesOldSelf);
  return { schema, rules, usesOldSelf, reader: new ValueReader(schema, root), items, values, properties };
}
