import { readFileSync, writeFileSync } from 'node:fs';
import { corpusFile, type RecordedRequest } from './corpus.js';

// Run the contract tests with KUBEWRIGHT_RECORD_REQUESTS=FILE, then run this program with FILE as its argument. The program writes a
// selection of the recorded requests to corpus.jsonl.

const longestBody = 4000;
const mostOfOneKind = { read: 4, write: 8 };

const kept = new Map<string, Set<string>>();
const lines: string[] = [];
for (const line of readFileSync(process.argv[2] ?? '', 'utf8').split('\n')) {
  if (line === '') continue;
  const request = JSON.parse(line) as RecordedRequest;
  if ((request.body?.length ?? 0) <= longestBody && !waits(request) && isNew(request)) lines.push(line);
}
writeFileSync(corpusFile, `${lines.join('\n')}\n`);
process.stdout.write(`${lines.length} requests\n`);

/** Whether the server delays the response or the end of the response: true for watches and for future resourceVersions. */
function waits({ method, path }: RecordedRequest): boolean {
  return method === 'GET' && /[?&]watch=|\/watch\/|resourceVersion=\d{9}/.test(path);
}

/** Whether to keep the request. Limits the number of similar requests. Drops a request if a kept request has the same query and fields. */
function isNew({ method, path, type = '', body = '' }: RecordedRequest): boolean {
  const [resource = '', query = ''] = path.split('?');
  const kind = `${method} ${resource.split('/').slice(0, 7).join('/')} ${type}`;
  const form = `${query} ${body.replace(/"[^"]*"/g, '').slice(0, 300)}`;
  const known = kept.get(kind) ?? new Set();
  kept.set(kind, known);
  if (known.has(form) || known.size >= (method === 'GET' ? mostOfOneKind.read : mostOfOneKind.write)) return false;
  known.add(form);
  return true;
}
