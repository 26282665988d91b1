import { goDuration } from '@kubewright/api/schema';
import type { ApiRequest } from './api-request.js';
import type { RequestInfo } from './request-info.js';

const defaultMs = 60_000;
const longestWriteMs = 34_000;

/**
 * Returns the time in milliseconds in which webhooks must answer a request: the `timeout` in the query, or at most 60 s. As in a kube-apiserver, a
 * request that writes a single object takes at most 34 s.
 */
export function requestTimeoutMs({ query }: ApiRequest, { verb }: RequestInfo): number {
  const nanoseconds = Number(goDuration(query.get('timeout') ?? '') ?? 0n);
  const sentMs = nanoseconds > 0 ? Math.min(nanoseconds / 1e6, defaultMs) : defaultMs;
  return verb === 'deletecollection' ? sentMs : Math.min(sentMs, longestWriteMs);
}
