import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { workerSlots } from '../../registry/worker-slots.js';
import { inTurns } from '../in-turns.js';
import { InvalidYamlError } from './invalid-yaml-error.js';
import { type ParseYamlOptions, parsePlainYaml, parseYaml } from './parse-yaml.js';
import type { YamlAnswer } from './parse-yaml-worker.js';
import { TooManyValuesError } from './value-counter.js';

/** Texts up to this length are read at once: this takes a few milliseconds. */
const mostLength = 8 * 1024;
/** The most memory that a text may take while it is read. */
const resourceLimits = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 };

/**
 * Returns what `parseYaml` returns. A separate thread reads large texts that are not plain YAML, so the server can serve other requests
 * in the meantime. Two threads work at the same time.
 *
 * @param isAbandoned whether nobody waits for the result any more; the text is then not read
 * @throws InvalidYamlError as `parseYaml` does, and for a text that needs more than 48 MB of memory
 * @throws TooManyValuesError as `parseYaml` does
 */
export async function parseYamlApart(
  text: string,
  options: ParseYamlOptions,
  isAbandoned: () => boolean = () => false,
): Promise<readonly unknown[]> {
  if (text.length <= mostLength) return parseYaml(text, options);
  const plain = await inTurns(parsePlainYaml(text, options));
  if (plain !== undefined) return [plain.value];
  return workerSlots.run(() => parsedByWorker(text, options), isAbandoned);
}

async function parsedByWorker(text: string, options: ParseYamlOptions): Promise<readonly unknown[]> {
  const worker = new Worker(new URL('./parse-yaml-worker.js', import.meta.url), {
    workerData: { text, options },
    resourceLimits,
    execArgv: [],
  });
  try {
    const [answer] = (await once(worker, 'message')) as [YamlAnswer];
    if ('documents' in answer) return answer.documents;
    if ('hasTooManyValues' in answer) throw new TooManyValuesError();
    throw new InvalidYamlError(answer.message, answer.line === undefined ? {} : { line: answer.line });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    const most = `${resourceLimits.maxOldGenerationSizeMb} MB`;
    throw new InvalidYamlError(`the text needs more than ${most} of memory; send it as JSON`, { cause: error });
  } finally {
    await worker.terminate();
  }
}
