import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { childPath } from './json-shape.js';
import { ruleFieldPath } from './rule-field-path.js';
import type { StructuralSchema, ValidationRule } from './structural-schema.js';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** Returns the errors in the fields of the CEL rules of a schema, such as an empty rule. Does not compile the expressions. */
export function checkRules(schema: StructuralSchema, path: string): readonly FieldError[] {
  const at = childPath(path, 'x-kubernetes-validations');
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) =>
    ruleErrors(rule, schema, `${at}[${index}]`),
  );
}

function ruleErrors(rule: ValidationRule, schema: StructuralSchema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const wording = wordingError(rule, path);
  if (wording !== undefined) errors.push(wording);
  const { messageExpression, reason, fieldPath } = rule;
  if (messageExpression && messageExpression.trim() === '') {
    const why = 'messageExpression must be non-empty if specified';
    errors.push(fieldErrors.required(`${path}.messageExpression`, why));
  }
  if (reason !== undefined && !REASONS.includes(reason)) {
    errors.push(fieldErrors.notSupported(`${path}.reason`, reason, REASONS));
  }
  if (fieldPath && fieldPath.trim() === '') {
    errors.push(fieldErrors.invalid(`${path}.fieldPath`, fieldPath, 'must be non-empty if specified'));
  }
  if (fieldPath && hasLineBreaks(fieldPath)) {
    errors.push(fieldErrors.invalid(`${path}.fieldPath`, fieldPath, 'must not contain line breaks'));
  }
  if (fieldPath && ruleFieldPath(fieldPath, schema) === undefined) {
    errors.push(fieldErrors.invalid(`${path}.fieldPath`, fieldPath, 'must be a valid path'));
  }
  return errors;
}

function wordingError(given: Partial<ValidationRule>, path: string): FieldError | undefined {
  const { rule = '', message = '' } = given;
  const words = message.trim();
  if (rule.trim() === '') return fieldErrors.required(`${path}.rule`, 'rule is not specified');
  if (message !== '' && words === '') {
    return fieldErrors.invalid(`${path}.message`, message, 'must be non-empty if specified');
  }
  if (hasLineBreaks(words)) return fieldErrors.invalid(`${path}.message`, message, 'must not contain line breaks');
  if (hasLineBreaks(rule.trim()) && words === '') {
    return fieldErrors.required(`${path}.message`, 'message must be specified if rule contains line breaks');
  }
  return undefined;
}

function hasLineBreaks(text: string): boolean {
  return /[\n\r]/.test(text);
}
