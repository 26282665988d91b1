import { FuzzedWebhooks, type Review } from './fuzzed-webhooks.js';
import { mutate, textOf, treeOf } from './mutate-json.js';
import { Random } from './random.js';

/** Options of a run. */
export interface WebhookFuzzOptions {
  readonly seed: number;
  readonly requests: number;
  /** Index of the first request of the run. @default 0 */
  readonly from?: number;
  /** Receives one line per defect. */
  readonly onLine: (line: string) => void;
}

/** The result of a run. */
export interface WebhookFuzzReport {
  /** A text for each defect, with the command that reproduces the defect. */
  readonly defects: readonly string[];
  /** Number of responses by status code. The key 0 counts missing responses. */
  readonly answers: ReadonlyMap<number, number>;
}

/** Limit in milliseconds for the processor time of one response, in addition to the time that the server may need for long replies. */
const mostCpuMs = 1000;
/** The number of characters of replies that the server must process in one millisecond. */
const charactersPerMs = 20_000;
const mostDefects = 20;
/** Messages of responses with status 500 that report an invalid reply of a webhook, in the wording of kube-apiserver. */
const explained: readonly RegExp[] = [
  /^Internal error occurred: failed calling webhook "/,
  /^Internal error occurred: (add|remove|replace|move|copy|test) operation (does not apply|failed to decode (path|from)): /,
  /^Internal error occurred: error in (add|remove|replace|move|copy|test) for path: /,
  /^Internal error occurred: (Unexpected kind: |testing (value|path) |Object 'Kind' is missing in ')/,
  /^Internal error occurred: .*(json: cannot unmarshal|is registered for version)/s,
  /^json: cannot unmarshal /,
  /^conversion webhook for /,
  /^Object 'Kind' is missing in '/,
];
const operations = [
  { op: 'add', path: '/data/a', value: 'b' },
  { op: 'remove', path: '/data/k' },
  { op: 'replace', path: '/metadata/labels', value: { a: 'b' } },
  { op: 'copy', from: '/data', path: '/metadata/annotations' },
  { op: 'move', from: '/metadata/name', path: '/metadata/generateName' },
  { op: 'test', path: '/kind', value: 'ConfigMap' },
];

/**
 * Sends writes to an embedded server whose admission and conversion webhooks reply with mutated reviews. Reports exits, missing and slow
 * responses, and responses with status 500 whose message does not report the reply of the webhook.
 */
export async function fuzzWebhooks({
  seed,
  requests,
  from = 0,
  onLine,
}: WebhookFuzzOptions): Promise<WebhookFuzzReport> {
  const defects: string[] = [];
  const known = new Set<string>();
  const answers = new Map<number, number>();
  let webhooks = await FuzzedWebhooks.start();
  try {
    for (let index = from; index < from + requests && defects.length < mostDefects; index += 1) {
      const random = Random.of(seed, index);
      const kind = random.pick(['mutating', 'validating', 'conversion'] as const);
      const replies: string[] = [];
      const { answer, end } = await webhooks.send(kind, (review) => {
        const body = kind === 'conversion' ? convertedReview(review) : admissionReview(review, random, kind);
        const reply = mutatedBody(body, random);
        replies.push(reply);
        return reply;
      });
      answers.set(answer?.status ?? 0, (answers.get(answer?.status ?? 0) ?? 0) + 1);
      const defect = end ?? defectOf(answer, mostCpuMs + replies.join('').length / charactersPerMs);
      const form = defect?.replace(/"(?:[^"\\]|\\.)*"|\d+/g, '…').slice(0, 120);
      if (defect !== undefined && form !== undefined && !known.has(form)) {
        known.add(form);
        const again = `npm run fuzz -- webhooks --seed ${seed} --from ${index} --requests 1`;
        const line = `DEFECT at request ${index}: ${defect.slice(0, 600)}\n  ${kind}: ${replies.join('\n  ').slice(0, 2000)}\n  to repeat: ${again}`;
        defects.push(line);
        onLine(line);
      }
      if (end === undefined) continue;
      await webhooks[Symbol.asyncDispose]();
      webhooks = await FuzzedWebhooks.start();
    }
  } finally {
    await webhooks[Symbol.asyncDispose]();
  }
  return { defects, answers };
}

function defectOf(
  answer: { readonly status: number; readonly body: string; readonly cpuMs: number } | undefined,
  mostMs: number,
): string | undefined {
  if (answer === undefined) return 'no answer: the connection broke twice, or a minute passed';
  const { status, body, cpuMs } = answer;
  if (cpuMs > mostMs) return `slow answer with status ${status}: ${cpuMs} ms of CPU time`;
  if (status !== 500) return undefined;
  const { message = body } = JSON.parse(body) as { readonly message?: string };
  return explained.some((pattern) => pattern.test(message)) ? undefined : `status 500: ${message}`;
}

/** Returns a valid reply to an AdmissionReview. The reply of a mutating webhook contains a patch with mutated operations. */
function admissionReview({ apiVersion, request }: Review, random: Random, kind: 'mutating' | 'validating'): object {
  const text = JSON.stringify([random.pick(operations), random.pick(operations)]);
  const patch = treeOf(text);
  const changed = patch === undefined || random.chance(0.3) ? patch : mutate(patch, random, () => treeOf(text));
  const patched =
    kind === 'mutating' && changed !== undefined
      ? { patchType: 'JSONPatch', patch: Buffer.from(textOf(changed)).toString('base64') }
      : {};
  const status = { code: 403, message: 'no', reason: 'Forbidden', details: { causes: [{ field: 'a', message: 'b' }] } };
  const response = {
    uid: request.uid,
    allowed: random.chance(0.8),
    status,
    warnings: ['a'],
    auditAnnotations: { a: 'b' },
  };
  return { apiVersion, kind: 'AdmissionReview', response: { ...response, ...patched } };
}

/** Returns a valid reply to a ConversionReview. */
function convertedReview({ apiVersion, request }: Review): object {
  const convertedObjects = (request.objects ?? []).map((object) => ({
    ...object,
    apiVersion: request.desiredAPIVersion,
  }));
  const response = { uid: request.uid, convertedObjects, result: { status: 'Success' } };
  return { apiVersion, kind: 'ConversionReview', response };
}

/** Returns the text of a reply after up to three mutations. The text is sometimes truncated. */
function mutatedBody(body: object, random: Random): string {
  const valid = JSON.stringify(body);
  let tree = treeOf(valid);
  for (let count = random.below(4); count > 0 && tree !== undefined; count -= 1)
    tree = mutate(tree, random, () => treeOf(valid));
  const text = tree === undefined ? '' : textOf(tree);
  return random.chance(0.03) ? text.slice(0, random.below(text.length + 1)) : text;
}
