import type { ApiServer, InProcessCall, InProcessResponse } from '@kubewright/apiserver';

/** Headers that contain the credentials of a server, which are always random. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization']);

/**
 * Records the in-process requests of a server: every header and body of a request, the status, the headers and the bytes of its response,
 * and the events of its watch, in the order in which clients and server exchange them.
 */
export function recordTrace(server: ApiServer): readonly string[] {
  const trace: string[] = [];
  let requests = 0;
  const open = server.request.bind(server);
  server.request = (request) => {
    const id = requests++;
    const note = (text: string): void => void trace.push(`#${id} ${text}`);
    const headers = request.rawHeaders.filter((_, at, all) => !SECRET_HEADERS.has(all[at - (at % 2)] ?? ''));
    note(`${request.method} ${request.path} ${JSON.stringify(headers)} ${request.body ?? ''}`);
    return recorded(open(request), note);
  };
  return trace;
}

function recorded(call: InProcessCall, note: (text: string) => void): InProcessCall {
  return {
    response: call.response.then(
      (response) => {
        note(`${response.code} ${JSON.stringify(response.headers)}`);
        return { ...response, body: recordedBody(response, note) };
      },
      (error: unknown) => {
        note(String(error));
        throw error;
      },
    ),
    close: (reason) => call.close(reason),
  };
}

async function* recordedBody({ body }: InProcessResponse, note: (text: string) => void): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) {
      note(chunk.toString());
      yield chunk;
    }
  } catch (error) {
    note(String(error));
    throw error;
  }
}
