import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Steps } from '@kubewright/api/apply';
import type { RuleVerdict } from '@kubewright/api/cel';
import { stringifyJson } from '@kubewright/api/json';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { ApiObject } from '../json-object.js';
import { failure } from '../status-errors.js';
import { workerSlots } from '../worker-slots.js';

/** The most memory of one judgement. */
const resourceLimits = { maxOldGenerationSizeMb: 40, maxYoungGenerationSizeMb: 4 };
/** The longest time of one judgement. */
const defaultMostMs = 30_000;

/** The part of a schema that applies to an object: its rules, or everything else. */
export type JudgedPart = 'rules' | 'shape';

/** What a thread judges, as JSON. */
export interface JudgementTexts {
  readonly part: JudgedPart;
  readonly schema: string;
  readonly object: string;
  readonly old?: string;
}

/** What to judge, and for how long at most. */
export interface Judgement {
  readonly part: JudgedPart;
  readonly schema: StructuralSchema;
  readonly object: ApiObject;
  /** The object before the change. */
  readonly old?: ApiObject | undefined;
  /** @default 30,000 */
  readonly mostMs?: number;
}

/**
 * Applies a part of a schema to an object in a thread that ends with the judgement. The server serves other requests in the meantime.
 * Controllers of the server cannot wait: they change only metadata of objects that users have written, and for them, the object is valid.
 *
 * Two threads work at the same time; other judgements wait in a queue. Throws 429 if the queue is full. Throws 504 if the judgement takes more than 30 s, and 500 if it needs more than 40 MB of memory.
 */
export function* judgeApart({ part, schema, object, old, mostMs = defaultMostMs }: Judgement): Steps<RuleVerdict> {
  const schemaText = stringifyJson(schema);
  yield;
  const objectText = stringifyJson(object);
  yield;
  const oldText = old === undefined ? {} : { old: stringifyJson(old) };
  const texts = { part, schema: schemaText, object: objectText, ...oldText };
  let verdict: RuleVerdict = { errors: [], warnings: [] };
  yield async (isAbandoned = () => false) => {
    verdict = await workerSlots.run(() => judge(texts, mostMs), isAbandoned);
  };
  return verdict;
}

async function judge(workerData: JudgementTexts, mostMs: number): Promise<RuleVerdict> {
  const worker = new Worker(new URL('./judge-worker.js', import.meta.url), {
    workerData,
    resourceLimits,
    execArgv: [],
  });
  const timeout = AbortSignal.timeout(mostMs);
  try {
    const [verdict] = (await once(worker, 'message', { signal: timeout })) as [RuleVerdict];
    return verdict;
  } catch (error) {
    if (timeout.aborted) {
      const message = 'Timeout: request did not complete within the requested timeout - context deadline exceeded';
      throw failure(504, 'Timeout', { message, details: {} });
    }
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    const why = `the validation needs more than ${resourceLimits.maxOldGenerationSizeMb} MB of memory`;
    throw failure(500, 'InternalError', {
      message: `Internal error occurred: ${why}`,
      details: { causes: [{ message: why }] },
    });
  } finally {
    await worker.terminate();
  }
}
