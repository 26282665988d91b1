import { type ThreadWork, threadAnswer } from '../../registry/threads/thread-answer.js';
import { inTurns } from '../in-turns.js';
import { InvalidYamlError } from './invalid-yaml-error.js';
import { type ParseYamlOptions, parsePlainYaml, parseYamlBody, type YamlBody } from './parse-yaml.js';
import type { YamlAnswer } from './parse-yaml-worker.js';
import { TooManyValuesError } from './value-counter.js';

/** Texts up to this length are parsed on the calling thread, which takes a few milliseconds. */
const mostLength = 8 * 1024;
const program = new URL('./parse-yaml-worker.js', import.meta.url);
/** The memory limits for parsing a text. */
const resourceLimits = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 };

/**
 * Returns the result of `parseYamlBody`. A separate thread parses large texts that are not plain YAML, so that the server can serve other
 * requests in the meantime. Also throws the errors of `threadAnswer`.
 *
 * @throws InvalidYamlError as `parseYaml`, and for a text that needs more than 48 MB of memory
 * @throws TooManyValuesError as `parseYaml` does
 */
export async function parseYamlApart(
  text: string,
  options: Pick<ParseYamlOptions, 'mostValues'>,
  { isAbandoned, mostMs }: Pick<ThreadWork, 'isAbandoned' | 'mostMs'> = {},
): Promise<YamlBody> {
  if (text.length <= mostLength) return parseYamlBody(text, options);
  const plain = await inTurns(parsePlainYaml(text, options));
  if (plain !== undefined) return { value: plain.value, repeated: [] };
  const workerData = { text, options };
  const answer = await threadAnswer<YamlAnswer>({
    program,
    workerData,
    resourceLimits,
    outOfMemory,
    isAbandoned,
    mostMs,
  });
  if ('repeated' in answer) return answer;
  if ('hasTooManyValues' in answer) throw new TooManyValuesError();
  throw new InvalidYamlError(answer.message, answer.line === undefined ? {} : { line: answer.line });
}

function outOfMemory(mostMegabytes: number, cause: unknown): Error {
  return new InvalidYamlError(`parsing the YAML needs more than ${mostMegabytes} MB of memory; send JSON instead`, {
    cause,
  });
}
