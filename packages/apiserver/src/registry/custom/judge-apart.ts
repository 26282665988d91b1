import type { Steps } from '@kubewright/api/apply';
import type { RuleVerdict } from '@kubewright/api/cel';
import { stringifyJson } from '@kubewright/api/json';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { ApiObject } from '../json-object.js';
import { failure } from '../status-errors.js';
import { threadAnswer } from '../thread-answer.js';

/** The most memory of one judgement. */
const resourceLimits = { maxOldGenerationSizeMb: 40, maxYoungGenerationSizeMb: 4 };
const program = new URL('./judge-worker.js', import.meta.url);

/** What judges an object: the rules of a schema, everything else in a schema, or the rules of definitions. */
export type JudgedPart = 'rules' | 'shape' | 'definition';

/** What a thread judges, as JSON. */
export interface JudgementTexts {
  readonly part: JudgedPart;
  readonly schema?: string;
  readonly object: string;
  readonly old?: string;
}

/** What to judge, and for how long at most. */
export interface Judgement {
  readonly part: JudgedPart;
  /** The schema of a custom object. */
  readonly schema?: StructuralSchema;
  readonly object: ApiObject;
  /** The object before the change. */
  readonly old?: ApiObject | undefined;
  /** @default 30,000 */
  readonly mostMs?: number;
}

/**
 * Judges an object in a thread that ends with the judgement. The server serves other requests in the meantime.
 * Controllers of the server cannot wait: they change only metadata of objects that users have written, and for them, the object is valid.
 *
 * Throws what `threadAnswer` throws, and 500 if the judgement needs more than 40 MB of memory.
 */
export function* judgeApart({ part, schema, object, old, mostMs }: Judgement): Steps<RuleVerdict> {
  const schemaText = schema === undefined ? {} : { schema: stringifyJson(schema) };
  yield;
  const objectText = stringifyJson(object);
  yield;
  const oldText = old === undefined ? {} : { old: stringifyJson(old) };
  const workerData: JudgementTexts = { part, ...schemaText, object: objectText, ...oldText };
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
