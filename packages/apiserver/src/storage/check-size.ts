import { stringifyJson } from '@kubewright/api/json';
import { failure } from './storage-error.js';

/** The largest request that etcd accepts. */
const mostBytes = 1.5 * 1024 * 1024;
/** The largest message that the client of etcd in a kube-apiserver sends. */
const mostSentBytes = 2 * 1024 * 1024;
/** The most bytes that JSON needs for one UTF-16 unit, as in \u0000. */
const bytesPerUnit = 6;

/**
 * Throws 500 in etcd's words for an object whose JSON is larger than etcd stores. A kube-apiserver stores built-in kinds as protobuf, which is
 * smaller; the limit here is that of the JSON for every kind.
 */
export function checkSize(object: object): void {
  // Objects that cannot reach the limit, which are nearly all, are not written as text.
  if (longestText(object) <= mostBytes) return;
  const bytes = Buffer.byteLength(stringifyJson(object));
  if (bytes <= mostBytes) return;
  if (bytes <= mostSentBytes) throw failure(500, '', 'etcdserver: request is too large');
  const why = `trying to send message larger than max (${bytes} vs. ${mostSentBytes})`;
  throw failure(500, '', `rpc error: code = ResourceExhausted desc = ${why}`);
}

/** An upper bound of the bytes in the JSON of a value. */
function longestText(value: unknown): number {
  if (typeof value === 'string') return value.length * bytesPerUnit + 2;
  if (typeof value === 'bigint') return value.toString().length;
  if (typeof value !== 'object' || value === null) return 24;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value) bytes += longestText(item) + 1;
  else for (const [key, field] of Object.entries(value)) bytes += key.length * bytesPerUnit + 4 + longestText(field);
  return bytes;
}
