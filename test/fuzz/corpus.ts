import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A recorded request of a contract test. The file contains the placeholders `<namespace>` and `<group>`, which `readCorpus` replaces. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** The content type of the body. */
  readonly type?: string;
  readonly accept?: string;
  readonly body?: string;
}

/** Path of the corpus. The file contains one request per line, in JSON. */
export const corpusFile = fileURLToPath(new URL('../../fuzz/corpus.jsonl', import.meta.url));

/** The namespace and the group that all requests of the fuzzer share. */
export const namespace = 'fuzz';
export const group = 'fuzz.example.com';

/** Reads the recorded requests. */
export function readCorpus(): readonly RecordedRequest[] {
  const recorded = readFileSync(corpusFile, 'utf8').replaceAll('<namespace>', namespace).replaceAll('<group>', group);
  // Other generated names, such as <held>, are the same for all requests.
  const text = recorded.replaceAll(/<([a-z][a-z-]*)>/g, 'recorded-$1');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedRequest);
}

/** Returns the namespaces in the corpus. */
export function namespacesOf(corpus: readonly RecordedRequest[]): readonly string[] {
  const named = corpus.map(({ path }) => /\/namespaces\/(fuzz|recorded-[a-z-]+)\//.exec(path)?.[1] ?? namespace);
  return [...new Set(named)];
}

/** Returns the requests of the corpus that create or apply an object. */
export function creationsOf(corpus: readonly RecordedRequest[]): readonly RecordedRequest[] {
  return corpus.filter(
    ({ method, type, path }) =>
      !path.includes('dryRun') &&
      (method === 'POST' || (method === 'PATCH' && type === 'application/apply-patch+yaml')),
  );
}

/** Returns the CustomResourceDefinitions of the corpus that the fuzzer installs first. */
export function definitionsOf(corpus: readonly RecordedRequest[]): readonly RecordedRequest[] {
  return corpus.filter(
    ({ method, path }) => method === 'POST' && path === '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  );
}
