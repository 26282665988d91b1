import { maskedThrown } from '../../log/masked-error.js';
import type { Tracer } from '../../tracing/tracer.js';
import type { ObservedRequest, RequestProgress, TransportObserver } from '../request/transport-observer.js';

/** Matches the path of a resource, such as /api/v1/… or /apis/group/version/… */
const RESOURCE = /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\/(?:namespaces\/[^/]+\/)?([^/]+)(?:\/[^/]+(?:\/([^/]+))?)?$/;

/**
 * An observer that creates a span for each request that is sent while another span is active, such as the span of a reconcile. Adds the
 * trace context to the headers of the request. Creates no spans for streams.
 */
export class RequestSpans implements TransportObserver {
  readonly #tracer: Tracer;

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  request({ verb, host, path, attempted, stream, headers }: ObservedRequest): RequestProgress | undefined {
    if (stream || !this.#tracer.isActive) return undefined;
    const span = this.#tracer.begin(`${verb} ${resourceOf(path)}`, {
      kind: 'CLIENT',
      attributes: {
        'http.request.method': verb,
        'server.address': host,
        'url.path': path,
        'kubewright.attempted': attempted,
      },
    });
    if (span === undefined) return undefined;
    this.#tracer.inject(span, headers);
    return {
      throttled: (waitedMs) => void span.addEvent('throttled', { 'kubewright.waited_ms': waitedMs }),
      retried: ({ code = 0 }, waitMs) =>
        void span.addEvent('retry', { 'http.response.status_code': code, 'kubewright.wait_ms': waitMs }),
      ended: ({ code, error, retries }) => {
        if (code !== undefined) span.setAttribute('http.response.status_code', code);
        if (retries > 0) span.setAttribute('http.request.resend_count', retries);
        if (error !== undefined) this.#tracer.fail(span, maskedThrown(error));
        else if (code !== undefined && code >= 400) this.#tracer.fail(span, `HTTP ${code}`);
        this.#tracer.end(span);
      },
    };
  }
}

/**
 * Returns the resource and the subresource of a path. If the path is not the path of a resource, returns its first two segments. The name
 * of a span must not contain the name of an object.
 */
function resourceOf(path: string): string {
  const [, resource, subresource] = RESOURCE.exec(path) ?? [];
  if (resource === undefined) return path.split('/').slice(0, 3).join('/');
  return subresource === undefined ? resource : `${resource}/${subresource}`;
}
