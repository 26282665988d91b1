import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { isJsonObject, type JsonObject, stringAt } from '@kubewright/api/json';
import { groupOf } from '@kubewright/api/metadata';
import { maskText } from '@kubewright/api/secrets';
import type { Logger } from '../../log/logger.js';
import type { WebhookMetrics } from '../../metrics/webhook-metrics.js';
import { type RequestHandler, sendText } from '../../serving/http-endpoint.js';
import { Slices } from '../../waiting/slices.js';
import { BodyDeadlines } from '../body-deadlines.js';
import { readBody } from '../read-body.js';
import { parseReview, type Review, sendJson } from '../review.js';
import type { ConversionGraph } from './conversion-graph.js';
import { convertObject } from './convert-object.js';

export interface ConversionEndpointUsing {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: WebhookMetrics;
  /** Returns the current graph of each kind, by the name of the kind. */
  readonly graphs: () => ReadonlyMap<string, ConversionGraph>;
}

const REVIEW = { group: 'apiextensions.k8s.io', kind: 'ConversionReview' } as const;
/** The maximum size of a ConversionReview in bytes. The API server converts whole lists in one request. */
const MAX_BYTES = 256 * 2 ** 20;

/**
 * Returns the HTTP handler of conversions. A review with an object that cannot be converted fails as a whole. A request that is not a valid
 * ConversionReview gets a response with status 400, 408 or 413.
 */
export function conversionEndpoint(using: ConversionEndpointUsing): RequestHandler {
  const deadlines = new BodyDeadlines(using.clock);
  return async (request, response) => answer(request, response, { ...using, deadlines });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  using: ConversionEndpointUsing & { readonly deadlines: BodyDeadlines },
): Promise<void> {
  const body = await readBody(request, { deadlines: using.deadlines, maxBytes: MAX_BYTES });
  const review = Buffer.isBuffer(body) ? parseReview(body, REVIEW) : body;
  if (typeof review === 'string' || 'code' in review) {
    const { code, message } = typeof review === 'string' ? { code: 400, message: review } : review;
    using.logger.warn('rejected an invalid conversion request', { problem: message });
    if (code !== 400) response.setHeader('connection', 'close');
    return sendText(response, code, `${message}\n`);
  }
  sendJson(response, { kind: REVIEW.kind, apiVersion: review.apiVersion, response: await converted(review, using) });
}

async function converted({ request }: Review, using: ConversionEndpointUsing): Promise<object> {
  const uid = stringAt(request, 'uid');
  try {
    const convertedObjects = await convertAll(request, using);
    return { uid, convertedObjects, result: { metadata: {}, status: 'Success' } };
  } catch (error) {
    // The error of an unsupported request is not an error of a converter.
    if (!isNotSupported(error)) using.metrics.conversionPanicked();
    using.logger.error('cannot convert objects', { error });
    return { uid, result: { metadata: {}, status: 'Failure', message: maskText(messageOf(error)) } };
  }
}

/** Converts the objects in time slices, so that a large list does not block other requests. */
async function convertAll(request: JsonObject, using: ConversionEndpointUsing): Promise<readonly KubeObject[]> {
  const { desiredAPIVersion: desired, objects } = request;
  if (typeof desired !== 'string' || desired === '' || !Array.isArray(objects)) {
    throw invalid('the request has no desiredAPIVersion or no objects');
  }
  const graphs = using.graphs();
  const slices = new Slices();
  const results: KubeObject[] = [];
  for (const object of objects as readonly unknown[]) {
    if (slices.isOver) await slices.next();
    results.push(convert(object, desired, graphs));
  }
  return results;
}

/** Converts one object to an API version. Throws CONVERSION_FAILED, and CONVERSION_NOT_SUPPORTED if no converter supports the versions. */
export function convert(object: unknown, desired: string, graphs: ReadonlyMap<string, ConversionGraph>): KubeObject {
  if (!isJsonObject(object)) throw invalid('an item of the request is not an object');
  const [apiVersion, kind] = [stringAt(object, 'apiVersion'), stringAt(object, 'kind')];
  const what = `${apiVersion} ${kind} to ${desired}`;
  const group = groupOf(apiVersion);
  if (group !== groupOf(desired)) throw invalid(`cannot convert ${what}: the groups differ`);
  if (apiVersion === desired) throw invalid(`cannot convert ${what}: the object already has this version`);
  const graph = graphs.get(group === '' ? kind : `${kind}.${group}`);
  if (graph === undefined) {
    throw invalid(
      `cannot convert ${what}: the operator has no converter for ${kind}; add a class with @Converter to the manager`,
    );
  }
  const steps = graph.way(versionOf(apiVersion), versionOf(desired));
  if (steps === undefined) {
    throw invalid(`cannot convert ${what}: the converters of ${kind} only support ${graph.versions.join(', ')}`);
  }
  return convertObject(object as unknown as KubeObject, steps);
}

function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}
function invalid(problem: string): KubewrightError {
  return new KubewrightError('CONVERSION_NOT_SUPPORTED', problem);
}
function isNotSupported(error: unknown): boolean {
  return error instanceof KubewrightError && error.code === 'CONVERSION_NOT_SUPPORTED';
}
