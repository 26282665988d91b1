import type { Clock } from '@kubewright/api/clock';
import { goDuration } from '@kubewright/api/schema';
import { badRequest } from '../registry/requests/status-errors.js';
import { isLongRunning, type RequestInfo } from './request-info.js';

const defaultMs = 60_000;
const longestWriteMs = 34_000;
const units: ReadonlySet<string> = new Set(['ns', 'us', '\u00b5s', '\u03bcs', 'ms', 's', 'm', 'h']);
const longestNanoseconds = 2n ** 63n;

/**
 * Throws 400 if the `timeout` in the query of a request is not a duration, such as `30s`. Accepts any timeout of a long-running request,
 * such as a watch. A kube-apiserver checks the timeout before it authenticates the user.
 */
export function checkTimeout(query: URLSearchParams, info: RequestInfo | undefined): void {
  const timeout = query.get('timeout');
  if (!timeout || isLongRunning(info) || goDuration(timeout) !== undefined) return;
  throw badRequest(`invalid timeout specified in the request URL - time: ${durationFault(timeout)}`);
}

/**
 * Returns the time of the monotonic clock at which a request times out, in milliseconds: after the `timeout` in the query, and after at
 * most 60 s. As in a kube-apiserver, a request that writes a single object takes at most 34 s. Returns undefined for a long-running
 * request.
 */
export function deadlineMs(query: URLSearchParams, info: RequestInfo | undefined, clock: Clock): number | undefined {
  if (isLongRunning(info)) return undefined;
  const timeout = query.get('timeout');
  const sentMs = timeout ? Number(goDuration(timeout) ?? 0n) / 1e6 : 0;
  const longestMs = info !== undefined && singleWrites.has(info.verb) ? longestWriteMs : defaultMs;
  return clock.monotonicMs() + (sentMs > 0 ? Math.min(sentMs, longestMs) : longestMs);
}

const singleWrites: ReadonlySet<RequestInfo['verb']> = new Set(['create', 'update', 'patch', 'delete']);

/** Returns Go's error text for a text that is not a duration. */
function durationFault(text: string): string {
  let rest = text.replace(/^[-+]/, '');
  while (rest !== '') {
    const [number = '', digits = ''] = /^(\d*)(?:\.\d*)?/.exec(rest) ?? [];
    if (!/\d/.test(number) || BigInt(digits) > longestNanoseconds) break;
    rest = rest.slice(number.length);
    const [unit = ''] = /^[^.\d]*/.exec(rest) ?? [];
    if (unit === '') return `missing unit in duration ${quoted(text)}`;
    if (!units.has(unit)) return `unknown unit ${quoted(unit)} in duration ${quoted(text)}`;
    rest = rest.slice(unit.length);
  }
  return `invalid duration ${quoted(text)}`;
}

/** Quotes a text as the errors of Go's time package do. */
function quoted(text: string): string {
  const characters = [...Buffer.from(text)].map((byte) => {
    const character = String.fromCharCode(byte);
    if (byte < 0x20 || byte >= 0x80) return `\\x${byte.toString(16).padStart(2, '0')}`;
    return character === '"' || character === '\\' ? `\\${character}` : character;
  });
  return `"${characters.join('')}"`;
}
