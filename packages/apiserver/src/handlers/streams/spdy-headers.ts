import { constants, createInflate, type Inflate } from 'node:zlib';

const words =
  'options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow authorization cache-control connection content-base content-encoding content-language content-length content-location content-md5 content-range content-type date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards pragma proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade user-agent vary via warning www-authenticate method get status'.split(
    ' ',
  );
const values = ['200 OK', 'version', 'HTTP/1.1', 'url', 'public', 'set-cookie', 'keep-alive', 'origin'];
const rest =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505' +
  '203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found' +
  '500 Internal Server Error501 Not Implemented503 Service Unavailable' +
  'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT' +
  'chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,' +
  'publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.';
const mostHeaderBytes = 16 * 1024;

/** The compression dictionary that SPDY/3 defines: texts that follow their lengths, and one text without a length. */
export const spdyDictionary = Buffer.concat([...[...words, ...values].map(withLength), Buffer.from(rest)]);

/** Decompresses the header blocks of a connection. The blocks share one compression context, so their order matters. */
export class SpdyHeaderReader {
  readonly #inflate: Inflate = createInflate({ dictionary: spdyDictionary, flush: constants.Z_SYNC_FLUSH });
  #pieces: Buffer[] = [];
  #length = 0;

  constructor() {
    this.#inflate.on('error', () => undefined);
    this.#inflate.on('data', (piece: Buffer) => this.#add(piece));
  }

  /** Returns the headers of the next block by lower-case name. Rejects if the block is not valid. */
  async read(block: Buffer): Promise<ReadonlyMap<string, string>> {
    [this.#pieces, this.#length] = [[], 0];
    await new Promise<void>((resolve, reject) => {
      this.#inflate.once('error', reject);
      this.#inflate.write(block, (error) => {
        this.#inflate.off('error', reject);
        if (error) reject(error);
        else resolve();
      });
    });
    if (this.#length > mostHeaderBytes) throw new RangeError('the headers of a stream are too long');
    return parseHeaders(Buffer.concat(this.#pieces));
  }

  close(): void {
    this.#inflate.destroy();
  }

  /** Adds decompressed bytes. Stops the decompression of a block that is too long. */
  #add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length > mostHeaderBytes) this.#inflate.destroy();
  }
}

/** Returns the header blocks of a connection, which have no headers. The first block of a connection starts the compressed data. */
export function emptyHeaderBlock(isFirst: boolean): Buffer {
  // An uncompressed deflate block with the number of headers, which is 0. An empty block follows, so that clients read the first block.
  const stored = Buffer.from([0, 4, 0, 0xfb, 0xff, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]);
  return isFirst ? Buffer.concat([Buffer.from([0x78, 0x01]), stored]) : stored;
}

function parseHeaders(bytes: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  let at = 4;
  const next = (): string => {
    const end = at + 4 + bytes.readUInt32BE(at);
    const found = bytes.toString('utf8', at + 4, end);
    at = end;
    return found;
  };
  for (let left = bytes.readUInt32BE(0); left > 0; left -= 1) headers.set(next().toLowerCase(), next());
  return headers;
}

function withLength(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, Buffer.from(text)]);
}
