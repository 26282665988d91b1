/** The number of subtrees that are remembered, and the range of the sizes of their JSON in bytes. */
const MAX_RECENT = 2;
const MIN_BYTES = 8;
const MAX_BYTES = 1024;
/** If fewer than `MIN_HITS` of this number of comparisons find an equal subtree, no subtrees are remembered anymore. */
const TRIAL = 64;
const MIN_HITS = 6;
/** Up to this number of bytes, a loop in JavaScript is faster than a call of `compare`. */
const SHORT_BYTES = 200;

/** A subtree and its JSON. The JSON is in the first `length` bytes of the buffer `json`. */
interface Recent {
  readonly json: Buffer;
  length: number;
  value: object;
  hash: number;
}

/**
 * Remembers the last subtrees at a place that occurred more than once. If the JSON at this place of a later object is equal, the reader
 * uses the remembered subtree instead of reading the JSON again.
 */
export class RecentSubtrees {
  readonly #recent: Recent[] = [];
  #oldest = 0;
  #comparisons = 0;
  #hits = 0;
  #isEnabled = true;

  /** Returns the remembered subtree whose JSON is at this position. Returns undefined if none matches. */
  find(bytes: Buffer, start: number): Readonly<Recent> | undefined {
    const recent = this.#recent;
    if (recent.length === 0) return undefined;
    this.#comparisons++;
    for (let i = 0; i < recent.length; i++) {
      const each = recent[i] as Recent;
      if (!startsWith(bytes, start, each)) continue;
      this.#hits++;
      return each;
    }
    if (this.#comparisons >= TRIAL) this.#endTrial();
    return undefined;
  }

  /** Remembers a subtree with the JSON at these positions. Ignores very short and very long subtrees. */
  remember(value: object, hash: number, { bytes, start, end }: { bytes: Buffer; start: number; end: number }): void {
    const length = end - start;
    if (!this.#isEnabled || length < MIN_BYTES || length > MAX_BYTES) return;
    let recent = this.#recent[this.#oldest];
    if (recent === undefined || recent.json.length < length) {
      // The buffer is larger than necessary, so that later subtrees fit as well.
      recent = { json: Buffer.allocUnsafeSlow(length + (length >> 1)), length, value, hash };
      this.#recent[this.#oldest] = recent;
    }
    bytes.copy(recent.json, 0, start, end);
    recent.length = length;
    recent.value = value;
    recent.hash = hash;
    this.#oldest = (this.#oldest + 1) % MAX_RECENT;
  }

  #endTrial(): void {
    if (this.#hits < MIN_HITS) {
      this.#isEnabled = false;
      this.#recent.length = 0;
    }
    this.#comparisons = 0;
    this.#hits = 0;
  }
}

function startsWith(bytes: Buffer, start: number, { json, length }: Readonly<Recent>): boolean {
  const end = start + length;
  if (end > bytes.length || bytes[end - 1] !== json[length - 1]) return false;
  if (length > SHORT_BYTES) return bytes.compare(json, 0, length, start, end) === 0;
  for (let i = 0; i < length; i++) if (bytes[start + i] !== json[i]) return false;
  return true;
}
