import { gzipSync } from 'node:zlib';
import type { RecordedRequest } from './corpus.js';
import { mutate, pointersOf, textOf, type Tree, treeOf } from './mutate-json.js';
import { inheritedNames, largeJson, unusualJson, unusualTexts } from './unusual-values.js';
import type { Random } from './random.js';

/** A request of the fuzzer. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const types = [
  ...patchTypes,
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'text/plain',
  ';',
  '',
];
const accepts = [
  'application/json',
  'application/json;as=Table;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'text/html, */*;q=0.1',
  ';;;',
];
const options = [
  'dryRun',
  'fieldManager',
  'fieldValidation',
  'force',
  'labelSelector',
  'fieldSelector',
  'limit',
  'continue',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'allowWatchBookmarks',
  'propagationPolicy',
  'gracePeriodSeconds',
  'orphanDependents',
  'pretty',
  'includeObject',
  'timeoutSeconds',
];
const optionValues = [
  'All',
  'true',
  '1',
  '0',
  '-1',
  '99999999999',
  'Strict',
  'Warn',
  'Foreground',
  'Orphan',
  'Exact',
  'NotOlderThan',
];

/** Derives a request from a recorded request. Usually changes the body, and sometimes the method, the path, the query, or the headers. */
export function mutatedRequest(corpus: readonly RecordedRequest[], random: Random): FuzzRequest {
  const recorded = random.pick(corpus);
  const donor = (): Tree | undefined => treeOf(random.pick(corpus).body ?? '');
  let { method, path } = recorded;
  let type = recorded.type;
  let body: string | Buffer | undefined = mutatedBody(recorded, random, donor);
  const headers: Record<string, string> = {};
  if (random.chance(0.15)) path = mutatedQuery(path, random);
  if (random.chance(0.03)) path = mutatedPath(path, random);
  if (random.chance(0.02)) method = random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
  if (body !== undefined && method === 'PATCH' && random.chance(0.3)) {
    type = random.pick(patchTypes);
    if (type === patchTypes[0]) body = jsonPatch(recorded, random, donor);
  }
  if (random.chance(0.02)) type = random.pick(types);
  if (body !== undefined && random.chance(0.03)) body = mutatedText(body, random);
  if (body !== undefined && random.chance(0.01)) {
    headers['content-encoding'] = 'gzip';
    if (random.chance(0.8)) body = gzipSync(body);
  }
  if (recorded.accept !== undefined) headers['accept'] = recorded.accept;
  if (random.chance(0.05)) headers['accept'] = random.pick(accepts);
  if (random.chance(0.03)) impersonate(headers, random);
  if (type !== undefined && body !== undefined) headers['content-type'] = type;
  return { method, path, headers, ...(body === undefined ? {} : { body }) };
}

function mutatedBody(
  { body, type }: RecordedRequest,
  random: Random,
  donor: () => Tree | undefined,
): string | undefined {
  if (body === undefined) return undefined;
  let tree = treeOf(body);
  if (tree === undefined) return type?.includes('yaml') ? yamlText(body, random) : body;
  for (let count = random.pick([0, 1, 1, 1, 2, 4]); count > 0; count -= 1) tree = mutate(tree, random, donor);
  return textOf(tree);
}

function yamlText(body: string, random: Random): string {
  const lines = body.split('\n');
  lines.splice(
    random.below(lines.length),
    random.below(2),
    `${random.pick(['', '- ', '? ', 'a: ', '  '])}${random.pick(unusualTexts)}`,
  );
  return lines.join('\n');
}

function jsonPatch({ body = '{}' }: RecordedRequest, random: Random, donor: () => Tree | undefined): string {
  const pointers = pointersOf(treeOf(body) ?? { raw: 'null' });
  const place = (): string =>
    random.pick([...pointers, '/metadata/name', '/spec', '/data', '/-', 'x', '/metadata/labels/__proto__']);
  const operations = Array.from({ length: random.pick([1, 1, 3, 30]) }, () => {
    const value = random.chance(0.1)
      ? largeJson(random)
      : random.chance(0.3)
        ? textOf(donor() ?? { raw: '1' })
        : random.pick(unusualJson);
    const op = random.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'other']);
    return `{"op":"${op}","path":${JSON.stringify(place())},"from":${JSON.stringify(place())},"value":${value}}`;
  });
  return `[${operations.join(',')}]`;
}

function mutatedQuery(path: string, random: Random): string {
  const [plain = '', query = ''] = path.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set(random.pick(options), random.pick([...optionValues, ...optionValues, ...unusualTexts]));
  return `${plain}?${parameters.toString()}`;
}

function mutatedPath(path: string, random: Random): string {
  const parts = path.split('/');
  parts[1 + random.below(parts.length)] = random.pick([
    ...inheritedNames,
    'a',
    '',
    '.',
    '%00',
    'status',
    'scale',
    'x'.repeat(300),
  ]);
  return parts.join('/');
}

function mutatedText(body: string | Buffer, random: Random): Buffer {
  const bytes = Buffer.from(body);
  for (let count = 1 + random.below(4); count > 0 && bytes.length > 0; count -= 1) {
    bytes[random.below(bytes.length)] = random.below(256);
  }
  return random.chance(0.3) ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes;
}

function impersonate(headers: Record<string, string>, random: Random): void {
  if (random.chance(0.8))
    headers['impersonate-user'] = random.pick([
      'a',
      'system:serviceaccount:fuzz:default',
      'system:node:a',
      ...inheritedNames,
    ]);
  if (random.chance(0.3)) headers['impersonate-group'] = random.pick(['a', 'system:masters', 'system:nodes']);
  if (random.chance(0.4)) headers[`impersonate-extra-${random.pick(inheritedNames)}`] = 'x';
}
