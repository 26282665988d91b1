import type { ClientHttp2Stream } from 'node:http2';

/** Reads a stream until the text has arrived. Rejects if the stream ends before that. */
export function arrival(stream: ClientHttp2Stream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let end = '';
    stream.setEncoding('latin1').on('data', (chunk: string) => {
      end = (end + chunk).slice(-chunk.length - text.length);
      if (end.includes(text)) resolve();
    });
    stream.on('close', () => reject(new Error(`the stream ended before ${text}`)));
  });
}
