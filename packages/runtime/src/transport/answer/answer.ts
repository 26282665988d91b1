import { ApiError, type Status } from '@kubewright/api/errors';
import { maskText } from '@kubewright/api/secrets';
import { type AnsweredRequest, maskedStatus } from './masked-status.js';

/** The maximum number of bytes of a body that an error contains, if the body is not a Status. */
const MAX_BODY_TEXT = 2048;
/**
 * The number of additional bytes in which credentials are masked. A credential that begins in the shown text and continues in these bytes
 * is therefore masked as a whole.
 */
const LONGEST_CREDENTIAL = 4096;

/** The first bytes of a protobuf body: 'k8s' and a zero. */
const PROTOBUF_START: readonly number[] = [0x6b, 0x38, 0x73, 0];

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** A response that does not report success. */
export interface FailedAnswer {
  readonly code: number;
  readonly body: Buffer;
  /** Decodes a protobuf body. @default a protobuf body is not decoded */
  readonly decode?: ((body: Buffer) => unknown) | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly attempted: string;
  readonly request: AnsweredRequest;
}

/**
 * Returns the error for a response. Uses the Status in the body, or otherwise the HTTP status code and the start of the body. Masks
 * secrets.
 */
export function apiErrorOf(answer: FailedAnswer): ApiError {
  const status = maskedStatus(parsedStatus(answer) ?? statusFromText(answer), answer.request);
  const retry = answer.retryAfterSeconds;
  const complete =
    retry === undefined || status.details?.retryAfterSeconds !== undefined
      ? status
      : { ...status, details: { ...status.details, retryAfterSeconds: retry } };
  return new ApiError({ ...complete, code: complete.code || answer.code }, { attempted: answer.attempted });
}

/** Whether a value is a Status that reports a failure. */
export function isFailureStatus(value: unknown): value is Status {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as Partial<Status>).kind === 'Status' &&
    (value as Partial<Status>).status === 'Failure'
  );
}

/** Returns the start of a body for a message. If bytes are omitted, their number follows. */
export function bodyText(body: Uint8Array, maxBytes = MAX_BODY_TEXT): string {
  const text = Buffer.from(body.subarray(0, maxBytes)).toString('utf8').trim();
  return body.length > maxBytes ? `${text}… (${body.length - maxBytes} more bytes)` : text;
}

/**
 * Returns the description of a body in an error message, for a body that is not a Status. For text, returns the start with masked
 * credentials. For JSON and protobuf, returns only the size, because the body may be an object with secrets.
 */
export function shownBody(body: Uint8Array, maxBytes = MAX_BODY_TEXT): string {
  if (isProtobuf(body)) return `protobuf of ${body.length} bytes (not shown)`;
  const isJson = /^\s*[[{"]/.test(bodyText(body, 64));
  return isJson ? `JSON of ${body.length} bytes (not shown)` : maskedBodyText(body, maxBytes);
}

/** Whether a body is protobuf, in the envelope of Kubernetes. */
export function isProtobuf(body: Uint8Array): boolean {
  return PROTOBUF_START.every((byte, at) => body[at] === byte);
}

/** Returns the start of a body with masked credentials. Masks the text before cutting it, so that no part of a credential remains. */
export function maskedBodyText(body: Uint8Array, maxBytes: number): string {
  const text = maskText(Buffer.from(body.subarray(0, maxBytes + LONGEST_CREDENTIAL)).toString('utf8'));
  const left = body.length - maxBytes;
  const shown = Buffer.from(text).subarray(0, maxBytes).toString('utf8').trim();
  return left > 0 ? `${shown}… (${left} more bytes)` : shown;
}

function parsedStatus({ body, decode }: FailedAnswer): Status | undefined {
  try {
    const isDecoded = decode !== undefined && isProtobuf(body);
    const value: unknown = isDecoded ? decode(body) : JSON.parse(body.toString('utf8'));
    return isFailureStatus(value) ? { ...value, metadata: value.metadata ?? {} } : undefined;
  } catch {
    return undefined;
  }
}

function statusFromText(answer: FailedAnswer): Status {
  const text = shownBody(answer.body);
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code: answer.code,
    reason: REASONS[answer.code] ?? (answer.code >= 500 ? 'InternalError' : 'Unknown'),
    message:
      text === ''
        ? `the server returned HTTP ${answer.code} without a body`
        : `the server returned HTTP ${answer.code}: ${text}`,
  };
}
