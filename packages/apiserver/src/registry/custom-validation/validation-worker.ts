import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { RuleVerdict } from '@kubewright/api/cel';
import { definitionErrors, definitionUpdateErrors } from '@kubewright/api/crd';
import { parseJson } from '@kubewright/api/json';
import { type FieldError, firstErrors, type StructuralSchema } from '@kubewright/api/schema';
import type { ApiObject } from '../objects/api-object.js';
import type { ValidationTexts } from './validate-in-worker.js';
import { blocksRules, ObjectShape } from './object-shape.js';

const texts = workerData as ValidationTexts;
const schema = parseJson(texts.schema ?? '{}') as StructuralSchema;
const object = parseJson(texts.object) as ApiObject;
const old = texts.old === undefined ? undefined : (parseJson(texts.old) as ApiObject);

function verdict(): RuleVerdict {
  if (texts.part === 'definition') {
    const errors = old === undefined ? definitionErrors(object) : definitionUpdateErrors(object, old);
    return { errors: listed(errors), warnings: [] };
  }
  if (texts.part === 'shape') return { errors: listed(new ObjectShape(schema).errors(object, old)), warnings: [] };
  const { RuleValidator } = createRequire(import.meta.url)(
    '@kubewright/api/cel',
  ) as typeof import('@kubewright/api/cel');
  const { errors = [], warnings = [] } = RuleValidator.compile(schema)?.validate(object, old) ?? {};
  return { errors, warnings };
}

/**
 * Returns the errors that the response of the server lists. If none of these errors prevents the evaluation of the CEL rules, adds the
 * first error that prevents the evaluation, if any.
 */
function listed(errors: readonly FieldError[]): readonly FieldError[] {
  const first = firstErrors(errors, ({ message }) => message);
  const blocking = errors.find(blocksRules);
  return blocking === undefined || first.some(blocksRules) ? first : [...first, blocking];
}

parentPort?.postMessage(verdict(), []);
