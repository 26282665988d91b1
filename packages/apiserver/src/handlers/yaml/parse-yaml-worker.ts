import { parentPort, workerData } from 'node:worker_threads';
import { InvalidYamlError } from './invalid-yaml-error.js';
import { parseYamlBody, type ParseYamlOptions, type YamlBody } from './parse-yaml.js';
import { TooManyValuesError } from './value-counter.js';

/** The result that the worker thread sends to the thread of the server. */
export type YamlAnswer =
  | YamlBody
  | { readonly hasTooManyValues: true }
  | { readonly message: string; readonly line: number | undefined };

const { text, options } = workerData as { readonly text: string; readonly options: ParseYamlOptions };

function answer(): YamlAnswer {
  try {
    return parseYamlBody(text, options);
  } catch (error) {
    if (error instanceof TooManyValuesError) return { hasTooManyValues: true };
    if (!(error instanceof InvalidYamlError)) throw error;
    return { message: error.message, line: error.line };
  }
}

parentPort?.postMessage(answer(), []);
