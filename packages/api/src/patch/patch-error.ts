import { KubewrightError } from '../errors/kubewright-error.js';

/**
 * The reason why a patch is rejected: the patch is malformed, has too many operations, does not apply to the document, or fails with an
 * internal error of the API server.
 */
export type PatchErrorKind = 'malformed' | 'tooLarge' | 'doesNotApply' | 'failed';

const ANSWERS = {
  malformed: { status: 400, reason: 'BadRequest' },
  tooLarge: { status: 413, reason: 'RequestEntityTooLarge' },
  doesNotApply: { status: 422, reason: 'Invalid' },
  failed: { status: 500, reason: '' },
} as const;

/**
 * An error for a patch that cannot be applied. The message describes the failure. `status`, `reason` and `answer` are the response of an
 * API server. If the patch does not apply to the document, `answer` is a generic message that does not describe the failure.
 */
export class PatchError extends KubewrightError {
  readonly kind: PatchErrorKind;
  /** The HTTP status of the response: 400, 413, 422 or 500. */
  readonly status: 400 | 413 | 422 | 500;
  /** The reason in the Status of the response, or ''. */
  readonly reason: 'BadRequest' | 'RequestEntityTooLarge' | 'Invalid' | '';
  /** Whether the value of a `test` operation differs from the value in the document. */
  readonly isFailedTest: boolean;
  constructor(
    kind: PatchErrorKind,
    message: string,
    { isFailedTest = false }: { readonly isFailedTest?: boolean } = {},
  ) {
    super('INVALID_PATCH', message);
    this.kind = kind;
    this.isFailedTest = isFailedTest;
    this.status = ANSWERS[kind].status;
    this.reason = ANSWERS[kind].reason;
  }

  /** The message in the Status of the response, in the wording of Kubernetes. */
  get answer(): string {
    return this.kind === 'doesNotApply'
      ? 'the server rejected our request due to an error in our request'
      : this.message;
  }
}
