import { parentPort, workerData } from 'node:worker_threads';
import { InvalidYamlError } from './invalid-yaml-error.js';
import { parseYaml, type ParseYamlOptions } from './parse-yaml.js';

/** The answer of the thread. */
export type YamlAnswer =
  | { readonly documents: readonly unknown[] }
  | { readonly message: string; readonly line: number | undefined };

const { text, options } = workerData as { readonly text: string; readonly options: ParseYamlOptions };

function answer(): YamlAnswer {
  try {
    return { documents: parseYaml(text, options) };
  } catch (error) {
    if (!(error instanceof InvalidYamlError)) throw error;
    return { message: error.message, line: error.line };
  }
}

parentPort?.postMessage(answer(), []);
