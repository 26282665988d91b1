import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A request of the contract, with `<namespace>` and `<group>` where the case has its own. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** The content type of the body. */
  readonly type?: string;
  readonly accept?: string;
  readonly body?: string;
}

/** One request per line, in JSON. */
export const corpusFile = fileURLToPath(new URL('../../fuzz/corpus.jsonl', import.meta.url));

/** The namespace and the group that all requests of the fuzzer share. */
export const namespace = 'fuzz';
export const group = 'fuzz.example.com';

/** Reads the recorded requests. */
export function readCorpus(): readonly RecordedRequest[] {
  const text = readFileSync(corpusFile, 'utf8').replaceAll('<namespace>', namespace).replaceAll('<group>', group);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedRequest);
}

/** The CustomResourceDefinitions of the corpus that the fuzzer installs first. */
export function definitionsOf(corpus: readonly RecordedRequest[]): readonly RecordedRequest[] {
  return corpus.filter(
    ({ method, path }) => method === 'POST' && path === '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  );
}
