import { KubewrightError } from '../errors/kubewright-error.js';

/**
 * Why a patch was refused: it is malformed, it has too many operations, it does not fit the document, or the server does not
 * get along with it and takes that for a fault of its own.
 */
export type PatchErrorKind = 'malformed' | 'tooLarge' | 'doesNotApply' | 'failed';

const ANSWERS = {
  malformed: { status: 400, reason: 'BadRequest' },
  tooLarge: { status: 413, reason: 'RequestEntityTooLarge' },
  doesNotApply: { status: 422, reason: 'Invalid' },
  failed: { status: 500, reason: '' },
} as const;

/**
 * A JSON patch that cannot be applied. The message says what went wrong; `status`, `reason` and `answer` are what an
 * API server answers with, which for a patch that does not fit the document says nothing of the operation.
 */
export class PatchError extends KubewrightError {
  readonly kind: PatchErrorKind;
  /** The HTTP status of the answer: 400, 413, 422 or 500. */
  readonly status: 400 | 413 | 422 | 500;
  /** The reason of the answer's Status, '' for none. */
  readonly reason: 'BadRequest' | 'RequestEntityTooLarge' | 'Invalid' | '';
  constructor(kind: PatchErrorKind, message: string) {
    super('INVALID_PATCH', message);
    this.kind = kind;
    this.status = ANSWERS[kind].status;
    this.reason = ANSWERS[kind].reason;
  }

  /** The message of the answer's Status, word for word as Kubernetes gives it. */
  get answer(): string {
    return this.kind === 'doesNotApply'
      ? 'the server rejected our request due to an error in our request'
      : this.message;
  }
}
