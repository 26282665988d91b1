import { type Code, lineWidth, printCode } from './code.js';
import { commentLines } from './comment-lines.js';
import { literal, propertyName } from './literal.js';
import { decoratorOf, decoratorOfTexts, decoratorWith, type Names, typeOf } from './print-value.js';
import type { ClassPlan, FieldPlan } from './value-plan.js';

/** Returns the source text of a class, including the doc comment and the decorators. */
export function printClass(shape: ClassPlan, names: Names): string {
  const fields = shape.fields.map((field) => printField(field, names));
  // A blank line separates a field that has a comment or several lines from its neighbors.
  const body = fields.map((text, at) =>
    at > 0 && (text.includes('\n') || fields[at - 1]?.includes('\n')) ? `\n${text}` : text,
  );
  const head = `export class ${names.get(shape)}`;
  const decorators = [...(isEmptyClass(shape) ? [decoratorWith('Schema', {})] : []), ...classDecorators(shape)];
  const lines = [...commentLines(shape.description, 0), ...decorators.map((each) => printCode(each, 0))];
  return [...lines, fields.length === 0 ? `${head} {}` : `${head} {\n${body.join('\n')}\n}`].join('\n');
}

/** Reports whether a class has neither fields nor keywords, and therefore needs `@Schema({})`. */
export function isEmptyClass({ fields, keywords }: ClassPlan): boolean {
  return fields.length === 0 && Object.keys(keywords).length === 0;
}

/** The decorators that limit how many fields of a set are present. */
export const setDecorators = {
  'exactly one': 'ExactlyOneOf',
  'at most one': 'AtMostOneOf',
  'at least one': 'AtLeastOneOf',
} as const;

/** Returns the decorators of a class, without `@Kind`. */
export function classDecorators({ keywords, rules, oneOf }: ClassPlan): readonly Code[] {
  return [
    ...(Object.keys(keywords).length === 0 ? [] : [decoratorWith('Schema', keywords)]),
    ...rules.map((rule) => decoratorWith('Rule', rule)),
    ...oneOf.map(({ keys, count }) => decoratorOfTexts(setDecorators[count], keys)),
  ];
}

function printField(field: FieldPlan, names: Names): string {
  const { name, description, value, options, initialiser, rules } = field;
  const comment = commentLines(description, 2);
  const above = rules.map((rule) => `  ${printCode(decoratorWith('Rule', rule), 2)}`);
  const decorator = printCode(['@', decoratorOf(value, options, names)], 2);
  const head = `${propertyName(name)}${markOf(field)}: ${fieldType(field, names)}`;
  const start = initialiser === undefined ? '' : ' = ';
  const fallback = initialiser === undefined ? '' : printCode(literal(initialiser.value), 2, 2 + head.length + 3);
  const declared = `${head}${start}${fallback};`;
  const line = `  ${decorator} ${declared}`;
  const isShort = !decorator.includes('\n') && line.length <= lineWidth;
  return [...comment, ...above, isShort ? line : `  ${decorator}\n  ${declared}`].join('\n');
}

function markOf({ options, initialiser, value }: FieldPlan): string {
  if (options['optional'] === true || value.form === 'conditions') return '?';
  return initialiser === undefined ? '!' : '';
}

/** Returns the TypeScript type of a field: with a default, in `Default<…>`; if nullable, with `| null`. Leaves `unknown` unchanged. */
function fieldType(field: FieldPlan, names: Names): string {
  const type = typeOf(field.value, names);
  const reported = isDefaulted(field) ? `Default<${type}>` : type;
  return field.options['nullable'] === true && type !== 'unknown' ? `${reported} | null` : reported;
}

/** Reports whether the type of a field is `Default<…>`. */
export function isDefaulted({ options, initialiser, value }: FieldPlan): boolean {
  if (value.form === 'leaf' && value.type === 'unknown') return false;
  return initialiser !== undefined || options['default'] !== undefined;
}
