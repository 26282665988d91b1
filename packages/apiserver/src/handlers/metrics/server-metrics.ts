import { expositionOf, type FamiliesOf, familiesOf, type Family, TEXT_FORMAT } from '@kubewright/api/metrics';
import type { Clock } from '@kubewright/api/clock';
import type { Registry } from '../../registry/registry.js';
import type { Answer } from '../answers/answer.js';
import type { ApiRequest } from '../api-request.js';
import { serverVersion } from '../discovery/server-version.js';
import { isLongRunning, type RequestInfo } from '../request-info.js';
import { requestLabels } from './request-labels.js';
import { serverMetricDefinitions } from './server-metric-definitions.js';

const readOnlyMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** The metrics of a server, which /metrics returns. Only requests that reach the handler of their path are counted. */
export class ServerMetrics {
  /** The content type of the result of `text`, with the escaping of names that kube-apiserver adds. */
  readonly contentType = `${TEXT_FORMAT}; escaping=underscores`;
  readonly #families: FamiliesOf<typeof serverMetricDefinitions> = familiesOf(serverMetricDefinitions);
  readonly #registry: Registry;
  readonly #clock: Clock;

  constructor(registry: Registry, clock: Clock) {
    this.#registry = registry;
    this.#clock = clock;
    const { buildDate, compiler, gitCommit, gitTreeState, gitVersion, goVersion, major, minor, platform } =
      serverVersion(registry.kubernetes);
    const version = [
      buildDate,
      compiler,
      gitCommit,
      gitTreeState,
      gitVersion,
      goVersion,
      major,
      minor,
      platform,
    ] as const;
    this.#families.build.of(...version).set(1);
  }

  /**
   * Runs `handle` and returns its answer. Counts the request as running until `handle` returns, or until the stream of the answer ends.
   * Then counts the finished request by its status code, and records its duration.
   */
  async measure(
    { request, info }: { readonly request: ApiRequest; readonly info: RequestInfo | undefined },
    handle: () => Promise<Answer>,
  ): Promise<Answer> {
    const { verb, dryRun, resource } = requestLabels(request, info);
    const running = isLongRunning(info)
      ? this.#families.longRunning.of(verb, ...resource)
      : this.#families.inFlight.of(readOnlyMethods.has(request.method) ? 'readOnly' : 'mutating');
    const beganMs = this.#clock.monotonicMs();
    const end = (code: number): void => {
      running.dec();
      this.#families.requests.of(verb, dryRun, ...resource, String(code)).inc();
      this.#families.requestSeconds.of(verb, dryRun, ...resource).observe((this.#clock.monotonicMs() - beganMs) / 1000);
    };
    running.inc();
    try {
      const answer = await handle();
      if (answer.kind !== 'stream') {
        end(answer.kind === 'value' || answer.kind === 'text' ? answer.status : 200);
        return answer;
      }
      const run: typeof answer.run = (stream) => {
        stream.onClose(() => end(answer.status ?? 200));
        answer.run(stream);
      };
      return { ...answer, run };
    } catch (error) {
      end(500);
      throw error;
    }
  }

  /** Returns a function that counts an event of a watch by its size in bytes. */
  watchEvents({ group, version, resource }: RequestInfo): (bytes: number) => void {
    const events = this.#families.watchEvents.of(group, version, resource);
    const sizes = this.#families.watchEventBytes.of(group, version, resource);
    return (bytes) => {
      events.inc();
      sizes.observe(bytes);
    };
  }

  /** Returns all metrics in the Prometheus text format. */
  text(): string {
    this.#countObjects();
    const { user, system } = process.cpuUsage();
    this.#families.processSeconds.of().reach((user + system) / 1e6);
    this.#families.processMemory.of().set(process.memoryUsage.rss());
    this.#families.processStart.of().set(performance.timeOrigin / 1000);
    const families: readonly Family[] = Object.values(this.#families);
    return families.map((family) => expositionOf(family)).join('');
  }

  #countObjects(): void {
    const { storageObjects, resourceObjects } = this.#families;
    storageObjects.clear();
    resourceObjects.clear();
    const buckets = this.#registry.all().filter(({ verbs }) => verbs.includes('list'));
    for (const bucket of new Set(buckets.map(({ storageBucket }) => storageBucket))) {
      const [group = '', resource = ''] = bucket.split('/');
      const { length } = this.#registry.store.range(bucket);
      storageObjects.of(group === '' ? resource : `${resource}.${group}`).set(length);
      resourceObjects.of(group, resource).set(length);
    }
  }
}
