import type { KubewrightError } from '@kubewright/api/errors';
import { invalidResponse } from './list-answer.js';

const MIB = 1024 * 1024;

/**
 * The maximum number of bytes of an object, of an event, or of a list without its items. API servers store objects of up to a few MB. The
 * limit prevents an endless response from filling the memory.
 */
export const MAX_FRAME_BYTES = 64 * MIB;

/** Returns the error for a part of a response that has more than this number of bytes. */
export function frameTooLong(attempted: string, part: string, maxBytes: number): KubewrightError {
  return invalidResponse(attempted, `${part} has more than ${maxBytes / MIB} MiB`);
}
