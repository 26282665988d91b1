import type { StructuralSchema } from '@kubewright/api/schema';

/** The strings and numbers in CEL rules. Values that satisfy a rule are often among them. */
export interface RuleLiterals {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

/** The maximum number of literals of each type. */
const MOST = 12;

/** Returns the literals in the CEL rules of a schema and its nested schemas, in the order of their occurrence. */
export function ruleLiterals(schema: StructuralSchema): RuleLiterals {
  const rules = rulesIn(schema);
  const texts = rules.flatMap((rule) => [...rule.matchAll(/'([^'\\]*)'|"([^"\\]*)"/g)].map(([, a, b]) => a ?? b ?? ''));
  const numbers = rules.flatMap((rule) =>
    [...rule.matchAll(/(?<![\w.'"])-?\d+(?:\.\d+)?(?![\w'"])/g)].map(([text]) => Number(text)),
  );
  return { texts: [...new Set(texts)].slice(0, MOST), numbers: [...new Set(numbers)].slice(0, MOST) };
}

function rulesIn(schema: StructuralSchema): readonly string[] {
  const { properties = {}, items, additionalProperties } = schema;
  const inner = [...Object.values(properties), items, additionalProperties];
  return [
    ...(schema['x-kubernetes-validations'] ?? []).map(({ rule }) => rule),
    ...inner.flatMap((each) => (typeof each === 'object' ? rulesIn(each) : [])),
  ];
}
