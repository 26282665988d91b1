import type { StructuralSchema } from '@kubewright/api/schema';

/** The string and number literals in CEL rules. Samples use these literals as candidates, because they often satisfy the rules. */
export interface RuleLiterals {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

/** The maximum number of literals of each type. */
const MOST = 12;

/** Returns the literals in the CEL rules of a schema and of all nested schemas, in order of appearance, at most 12 of each type. */
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
