// A process that sends requests with the same body, one after the other, on one connection. Its parent sends the input, and receives the
// last response, or the error.
import { Agent, request as httpsRequest } from 'node:https';
import { once } from 'node:events';
import { messageOf } from '@kubewright/api/errors';

/** The input of the process. */
export interface Posting {
  readonly url: string;
  readonly ca: string;
  readonly body: string;
  readonly count: number;
}
/** The message of the process. */
export type Posted = { readonly text: string } | { readonly error: string };

async function post({ url, ca, body, count }: Posting): Promise<Posted> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca });
  let text = '';
  try {
    for (let at = 0; at < count; at++) text = await posted(url, agent, body);
    return { text };
  } catch (error) {
    return { error: messageOf(error) };
  } finally {
    agent.destroy();
  }
}
function posted(url: string, agent: Agent, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const request = httpsRequest(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text)).on('error', reject);
    });
    request.on('error', reject).end(body);
  });
}
const [posting] = (await once(process, 'message')) as [Posting];
process.send?.(await post(posting));
process.disconnect?.();
