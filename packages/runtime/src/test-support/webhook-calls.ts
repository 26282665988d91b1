import { once } from 'node:events';
import { type IncomingHttpHeaders, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** The options of `postReview`. */
export interface PostOptions {
  readonly contentType?: string;
  /** The certificate to trust, in PEM format. @default the certificate is not verified */
  readonly ca?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
/** The response to a review. */
export interface PostedReview {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The response as JSON, or undefined if it is another text. */
  readonly review: Review | undefined;
}
/** The fields of an AdmissionReview or a ConversionReview in a response. */
export interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly response: {
    readonly uid: string;
    readonly allowed: boolean;
    readonly patchType?: string;
    readonly patch?: string;
    readonly warnings?: readonly string[];
    readonly status: {
      readonly code: number;
      readonly reason?: string;
      readonly message?: string;
      readonly details?: object;
    };
    readonly convertedObjects?: readonly Readonly<Record<string, unknown>>[];
    readonly result?: { readonly status: string; readonly message?: string };
  };
}

/** Sends a body to a webhook on a new connection. An object is sent as JSON. */
export async function postReview(url: string, body: unknown, options: PostOptions = {}): Promise<PostedReview> {
  const { contentType = 'application/json', ca, headers } = options;
  const request = openRequest(url, { headers: { 'content-type': contentType, ...headers } }, ca);
  request.end(typeof body === 'string' ? body : JSON.stringify(body));
  return responseOf(request);
}
/** Opens a POST request whose body the caller sends. */
export function openRequest(url: string, options: RequestOptions, ca?: string) {
  const tls = ca === undefined ? { rejectUnauthorized: false } : { ca };
  const all = { method: 'POST', agent: false as const, ...options };
  return url.startsWith('https:') ? httpsRequest(url, { ...all, ...tls }) : httpRequest(url, all);
}
/** Returns the response to a request. */
export async function responseOf(request: ReturnType<typeof openRequest>): Promise<PostedReview> {
  const [response] = await once(request, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const review = text.startsWith('{') ? (JSON.parse(text) as Review) : undefined;
  return { status: response.statusCode, headers: response.headers, text, review };
}

/** Returns an AdmissionReview with the fields of `request`, by default of version v1 and for a creation. */
export function admissionReview(request: object, apiVersion = 'admission.k8s.io/v1'): object {
  return { apiVersion, kind: 'AdmissionReview', request: { uid: 'review-1', operation: 'CREATE', ...request } };
}
/** Returns the operations of the JSON patch in a response. Returns undefined for a response without a patch. */
export function patchIn({ review }: PostedReview): readonly object[] | undefined {
  const { patch } = review?.response ?? {};
  return patch === undefined ? undefined : JSON.parse(Buffer.from(patch, 'base64').toString('utf8'));
}
