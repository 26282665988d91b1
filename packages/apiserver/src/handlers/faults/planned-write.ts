import { isJsonObject, type JsonObject, parseJson } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import type { ApiRequest } from '../api-request.js';
import type { RequestInfo } from '../request-info.js';
import { parseYaml } from '../yaml/parse-yaml.js';

/** The object and the changed fields of a write. */
export interface PlannedWrite {
  /** The verb, or 'apply' for a server-side apply, which is a patch. */
  readonly verb: string;
  readonly kind: string;
  /** The name, with '*' instead of the generated part. Undefined for a collection. */
  readonly name?: string;
  /**
   * The fields that change, such as 'status.phase', sorted. Empty for an object that does not exist yet, for a deletion, and for
   * subresources other than `status`.
   */
  readonly fields: readonly string[];
}

/** The fields of metadata that identify an object, or that only the server sets. */
const IDENTITY: ReadonlySet<string> = new Set([
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'selfLink',
]);

/** Describes a write. `stored` is the object before the write; undefined if the object does not exist. */
export function plannedWrite(
  { headers, body }: Pick<ApiRequest, 'headers' | 'body'>,
  { verb, name, subresource }: RequestInfo,
  { kind, stored }: { readonly kind: string; readonly stored: object | undefined },
): PlannedWrite {
  const type = headers['content-type'] ?? '';
  const sent = verb === 'delete' || verb === 'deletecollection' ? undefined : parsed(body);
  const isApply = verb === 'patch' && type.startsWith('application/apply-patch');
  const named = name ?? nameIn(sent);
  // The body of a subresource such as `eviction` is an object of another kind.
  const isOther = subresource !== undefined && subresource !== 'status';
  return {
    verb: isApply ? 'apply' : verb,
    kind,
    ...(named !== undefined && { name: named }),
    fields:
      isOther || stored === undefined ? [] : sentFields(sent, stored, { isWhole: verb === 'update', subresource }),
  };
}

function sentFields(
  sent: unknown,
  stored: object,
  { isWhole, subresource }: { readonly isWhole: boolean; readonly subresource: string | undefined },
): readonly string[] {
  const fields = new Set<string>();
  if (Array.isArray(sent)) {
    for (const operation of sent) if (isJsonObject(operation)) fields.add(pathOf(operation['path']));
    fields.delete('');
    return [...fields].toSorted();
  }
  if (!isJsonObject(sent)) return [];
  const before = stored as JsonObject;
  const names = new Set([...Object.keys(sent), ...(isWhole ? Object.keys(before) : [])]);
  for (const name of names) {
    // An update of the status does not change other fields, and an update of the object does not change the status.
    if (isWhole && (name === 'status') !== (subresource === 'status')) continue;
    if (name === 'apiVersion' || name === 'kind') continue;
    for (const field of changesOf(name, [sent[name], before[name]], isWhole)) fields.add(field);
  }
  return [...fields].toSorted();
}

/** Returns the fields in which an object differs from its earlier state, such as 'status.phase', sorted. */
export function changedFields(object: object, before: object): readonly string[] {
  const [now, old] = [object as JsonObject, before as JsonObject];
  const names = new Set([...Object.keys(now), ...Object.keys(old)]);
  return [...names].flatMap((name) => changesOf(name, [now[name], old[name]], true)).toSorted();
}

/** Returns the changed fields of a field of the object. If both values are objects, returns their changed fields. */
function changesOf(name: string, [sent, before]: readonly [unknown, unknown], isWhole: boolean): readonly string[] {
  if (!isJsonObject(sent) || !isJsonObject(before)) return contains(before, sent, isWhole) ? [] : [name];
  const names = new Set([...Object.keys(sent), ...(isWhole ? Object.keys(before) : [])]);
  return [...names]
    .filter((inner) => name !== 'metadata' || !IDENTITY.has(inner))
    .filter((inner) => !contains(before[inner], sent[inner], isWhole))
    .map((inner) => `${name}.${inner}`);
}

/** Returns whether a stored value already has the sent value. A part of an object that is not sent does not change, except in an update. */
function contains(before: unknown, sent: unknown, isWhole: boolean): boolean {
  if (isWhole) return deepEqual(before, sent);
  if (sent === null || sent === undefined) return before === undefined || before === null;
  if (Array.isArray(sent)) {
    if (!Array.isArray(before) || before.length !== sent.length) return false;
    return sent.every((item, at) => contains(before[at], item, false));
  }
  if (!isJsonObject(sent)) return deepEqual(before, sent);
  return isJsonObject(before) && Object.keys(sent).every((name) => contains(before[name], sent[name], false));
}

/** Returns the first two segments of a JSON pointer as a path, such as 'metadata.finalizers'. */
function pathOf(pointer: unknown): string {
  if (typeof pointer !== 'string') return '';
  const segments = pointer.split('/').slice(1, 3);
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

function nameIn(sent: unknown): string | undefined {
  const metadata = isJsonObject(sent) ? sent['metadata'] : undefined;
  if (!isJsonObject(metadata)) return undefined;
  const { name, generateName } = metadata;
  if (typeof name === 'string' && name !== '') return name;
  return typeof generateName === 'string' ? `${generateName}*` : undefined;
}

/** Returns the value of a body in JSON or YAML. Returns undefined for another body. */
function parsed(body: Uint8Array): unknown {
  for (const parse of [parseJson, yamlOf]) {
    try {
      return parse(body);
    } catch {
      // The server refuses the body, or reads it as Protobuf.
    }
  }
  return undefined;
}

function yamlOf(body: Uint8Array): unknown {
  return parseYaml(Buffer.from(body).toString('utf8'))[0];
}
