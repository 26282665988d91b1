import { type Steps, withBreak } from '@kubewright/api/apply';
import { inTurns } from '../handlers/in-turns.js';

/** The minimum length, in characters, of a response that is sent in pieces, and compressed if the client accepts gzip. */
const piecesFrom = 128 * 1024;

/** Joins pieces until the text is long enough for compression. `whole` is true if no pieces remain. */
export function* firstPieces(
  pieces: Iterator<string | Buffer>,
): Steps<{ readonly first: string | Buffer; readonly whole: boolean }> {
  let first: string | Buffer = '';
  while (first.length < piecesFrom) {
    const piece = pieces.next();
    if (piece.done === true) return { first, whole: true };
    first = joined(first, piece.value);
    yield;
  }
  return { first, whole: false };
}

function joined(first: string | Buffer, next: string | Buffer): string | Buffer {
  if (typeof first === 'string' && typeof next === 'string') return first + next;
  return first.length === 0 ? next : Buffer.concat([Buffer.from(first), Buffer.from(next)]);
}

/**
 * Yields the piece `first` and then each further piece, until the client disconnects. The server handles other requests between the pieces.
 */
export async function* piecesAfter(
  first: string | Buffer,
  { pieces, isClosed }: { readonly pieces: Iterator<string | Buffer>; readonly isClosed: () => boolean },
): AsyncGenerator<string | Buffer> {
  let piece: string | Buffer | undefined = first;
  while (piece !== undefined && !isClosed()) {
    yield piece;
    piece = await inTurns(nextPiece(pieces), { isStarted: true });
  }
}

const nextPiece = withBreak((pieces: Iterator<string | Buffer>): string | Buffer | undefined => {
  const { done, value } = pieces.next();
  return done === true ? undefined : value;
});
