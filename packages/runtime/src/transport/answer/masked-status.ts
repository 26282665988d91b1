import type { Status, StatusCause } from '@kubewright/api/errors';
import type { StructuralSchema } from '@kubewright/api/schema';
import { isSecretPath, maskerOf, maskFieldErrors, maskText, secretValuesIn } from '@kubewright/api/secrets';

/** The request whose response may contain secrets. */
export interface AnsweredRequest {
  readonly path: string;
  /** The body of the request. @default none */
  readonly body?: unknown;
  /** The schema of the object, if it is known. */
  readonly schema?: StructuralSchema | undefined;
}

/** Matches the path of a Secret, or of the Secrets in one or all namespaces. */
const OF_SECRETS = /^\/api\/v1\/(?:namespaces\/[^/]+\/)?secrets(?:\/|$)/;

/**
 * Returns the Status with secrets masked: values that the request sent in secret fields, values of secret fields in error messages, and
 * credentials in texts. Keeps reasons and field paths.
 */
export function maskedStatus(status: Status, { path, body, schema }: AnsweredRequest): Status {
  const rules = { schema, isSecret: OF_SECRETS.test(path) };
  const maskSent = maskerOf(body === undefined ? [] : secretValuesIn(body, rules));
  const isSecret = (field: string): boolean => isSecretPath(field, rules);
  const text = (each: string, field?: string): string => maskText(maskFieldErrors(maskSent(each), isSecret, field));
  const masked = (each: unknown): unknown => {
    if (typeof each === 'string') return text(each);
    if (Array.isArray(each)) return each.map(masked);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([name, member]) => [name, masked(member)]));
  };
  const { details, ...others } = status;
  if (details === undefined) return masked(others) as Status;
  const { causes, ...of } = details;
  const shownCauses = causes?.map((cause): StatusCause => {
    const { message, field } = cause;
    return message === undefined ? cause : { ...cause, message: text(message, field) };
  });
  return { ...(masked(others) as Status), details: { ...of, ...(shownCauses && { causes: shownCauses }) } };
}
