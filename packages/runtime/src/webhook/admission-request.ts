import type { AdmissionOperation, AdmissionRequest, KubeObject } from '@kubewright/api';
import { deepFreeze } from '@kubewright/api';
import { isJsonObject, type JsonObject, stringAt } from '@kubewright/api/json';
import { LazySignal } from '../waiting/lazy-signal.js';

const OPERATIONS: Readonly<Record<string, AdmissionOperation>> = {
  CREATE: 'create',
  UPDATE: 'update',
  DELETE: 'delete',
  CONNECT: 'connect',
};

/**
 * Returns the request of an AdmissionReview for handlers. Returns the problem as a text if the operation is unknown or a required object is
 * missing.
 */
export function admissionRequest(
  request: JsonObject,
  using: { readonly signal: () => AbortSignal; readonly warn: (message: string) => void },
): AdmissionRequest<KubeObject> | string {
  const given = stringAt(request, 'operation');
  const operation = OPERATIONS[given];
  if (operation === undefined) {
    return `the request has the operation '${given}'; use one of ${Object.keys(OPERATIONS).join(', ')}`;
  }
  const [object, old] = [objectOf(request['object']), objectOf(request['oldObject'])];
  if (object === undefined && operation !== 'delete') return `the request to ${operation} has no object`;
  if (old === undefined && (operation === 'update' || operation === 'delete')) {
    return `the request to ${operation} has no oldObject`;
  }
  const { options, userInfo } = request;
  const namespace = stringAt(request, 'namespace');
  const subresource = stringAt(request, 'subResource');
  return new ReceivedRequest(
    {
      uid: stringAt(request, 'uid'),
      user: userOf(userInfo),
      operation,
      dryRun: request['dryRun'] === true,
      name: stringAt(request, 'name'),
      namespace: namespace === '' ? undefined : namespace,
      subresource: subresource === '' ? undefined : subresource,
      options: isJsonObject(options) ? deepFreeze(options) : undefined,
      object: deepFreeze(object),
      old: deepFreeze(old),
      warn: using.warn,
    },
    using.signal,
  );
}

type RequestFields = Omit<AdmissionRequest<KubeObject>, 'signal'>;

class ReceivedRequest extends LazySignal implements AdmissionRequest<KubeObject> {
  readonly uid: RequestFields['uid'];
  readonly user: RequestFields['user'];
  readonly operation: RequestFields['operation'];
  readonly dryRun: RequestFields['dryRun'];
  readonly name: RequestFields['name'];
  readonly namespace: RequestFields['namespace'];
  readonly subresource: RequestFields['subresource'];
  readonly options: RequestFields['options'];
  readonly object: RequestFields['object'];
  readonly old: RequestFields['old'];
  readonly warn: RequestFields['warn'];

  constructor(fields: RequestFields, signal: () => AbortSignal) {
    super(signal);
    this.uid = fields.uid;
    this.user = fields.user;
    this.operation = fields.operation;
    this.dryRun = fields.dryRun;
    this.name = fields.name;
    this.namespace = fields.namespace;
    this.subresource = fields.subresource;
    this.options = fields.options;
    this.object = fields.object;
    this.old = fields.old;
    this.warn = fields.warn;
  }
}

function objectOf(value: unknown): KubeObject | undefined {
  return isJsonObject(value) ? (value as unknown as KubeObject) : undefined;
}
function userOf(info: unknown): AdmissionRequest<KubeObject>['user'] {
  const { uid, groups, extra } = isJsonObject(info) ? info : {};
  return {
    name: stringAt(info, 'username'),
    uid: typeof uid === 'string' && uid !== '' ? uid : undefined,
    groups: Array.isArray(groups) ? (groups as readonly string[]) : [],
    extra: isJsonObject(extra) ? (extra as Readonly<Record<string, readonly string[]>>) : {},
  };
}
