import type { Steps } from '@kubewright/api/apply';
import type { RuleVerdict } from '@kubewright/api/cel';
import { stringifyJson } from '@kubewright/api/json';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { ApiObject } from '../objects/api-object.js';
import { failure } from '../requests/status-errors.js';
import { threadAnswer } from '../threads/thread-answer.js';

/** The memory limits of a thread, which runs one validation. */
const resourceLimits = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 4 };
const program = new URL('./validation-worker.js', import.meta.url);

/**
 * The validation to run: 'rules' for the CEL rules of a schema, 'shape' for all other rules of a schema, and 'definition' for
 * CustomResourceDefinitions.
 */
export type ValidatedPart = 'rules' | 'shape' | 'definition';

/** The input of the thread. `schema`, `object` and `old` contain JSON. */
export interface ValidationTexts {
  readonly part: ValidatedPart;
  readonly schema?: string;
  readonly object: string;
  readonly old?: string;
}

/** An object to validate, and the time limit. */
export interface ValidationRequest {
  readonly part: ValidatedPart;
  /** The schema of a custom object. */
  readonly schema?: StructuralSchema;
  readonly object: ApiObject;
  /** The object before the change. */
  readonly old?: ApiObject | undefined;
  /** The time limit in milliseconds. @default 30,000 */
  readonly mostMs?: number;
}

/**
 * Validates an object in a new thread. The thread ends after the validation. The server serves other requests in the meantime. A caller
 * that does not wait, such as `finish`, gets a verdict without errors. This is safe, because all writes of clients wait. Only writes of the
 * server itself do not wait, and these writes change only the metadata of objects that clients have written.
 *
 * Throws the errors of `threadAnswer`, and 500 if the validation needs more than 48 MB of memory.
 */
export function* validateInWorker({ part, schema, object, old, mostMs }: ValidationRequest): Steps<RuleVerdict> {
  const schemaText = schema === undefined ? {} : { schema: stringifyJson(schema) };
  yield;
  const objectText = stringifyJson(object);
  yield;
  const oldText = old === undefined ? {} : { old: stringifyJson(old) };
  const workerData: ValidationTexts = { part, ...schemaText, object: objectText, ...oldText };
  let verdict: RuleVerdict = { errors: [], warnings: [] };
  yield async (isAbandoned) => {
    verdict = await threadAnswer({ program, workerData, resourceLimits, outOfMemory, mostMs, isAbandoned });
  };
  return verdict;
}

function outOfMemory(mostMegabytes: number): Error {
  const why = `the validation needs more than ${mostMegabytes} MB of memory`;
  return failure(500, 'InternalError', {
    message: `Internal error occurred: ${why}`,
    details: { causes: [{ message: why }] },
  });
}
