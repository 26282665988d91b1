import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { limitDefaults, limitRanger } from '../../admission/limit-ranger.js';
import { portLists, portsOf } from '../../controllers/workloads/services/service-pods.js';
import { tolerationsOf } from '../../controllers/workloads/scheduling/node-match.js';
import { Store } from '../../storage/store.js';
import type { ApiObject, DraftObject, JsonDraft } from '../objects/api-object.js';
import { objectsAt } from '../objects/json-object.js';
import { Registry } from '../registry.js';
import { systemContext } from '../requests/request-context.js';
import { containerAmounts } from '../quota/resource-amounts.js';
import { outerError } from './certificates/certificate-request-form.js';
import { podCells } from './core/pod/pod-cells.js';
import { ephemeralUpdateErrors, keepPart, resizeErrors } from './core/pod/pod-part-updates.js';
import { podSpecWarnings } from './core/pod-spec/pod-spec-warnings.js';
import { podQuota } from './core/pod/pod-quota.js';
import { podStatusErrors } from './core/pod/pod-status-rules.js';
import { podUpdateErrors } from './core/pod/pod-update-rules.js';
import { serviceStrategy } from './core/service.js';
import { ReadCounter } from './read-counter.test.support.js';
import { csiNodeStrategy } from './storage/csi-node.js';

const count = 20_000;
/** The maximum number of values that a rule reads. A rule that compares each pair of items would read 400,000,000 values. */
const mostReads = 200 * count;

const list = <T>(item: (at: number) => T, length = count): T[] => Array.from({ length }, (_, at) => item(at));
const names = (more: object = {}) => list((at) => ({ name: `n${at}`, ...more }));
const metadata = { name: 'a', uid: 'a', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
/** Returns a view of an object. The view throws after more than `mostReads` reads. */
const counted = (spec: object, status: object = {}): ApiObject =>
  new ReadCounter(mostReads).of<ApiObject>({ apiVersion: 'v1', kind: 'Any', metadata, spec, status });
const draft = (object: object): DraftObject => object as DraftObject;

const ended = (name: string) => ({ name, state: { terminated: { exitCode: 0 } } });

const rules: Readonly<Record<string, () => unknown>> = {
  'tolerations of an updated Pod': () => {
    const tolerations = list((at) => ({ key: `k${at}`, operator: 'Exists' }));
    const containers = [{ name: 'a', image: 'a' }];
    const next = counted({ containers, tolerations: tolerations.toReversed() });
    return podUpdateErrors(next, counted({ containers, tolerations }));
  },
  'states of container statuses': () => {
    const spec = { restartPolicy: 'Never', containers: names() };
    const statuses = list((at) => ended(`n${at}`));
    const status = (containerStatuses: object[]) => counted(spec, { containerStatuses });
    return podStatusErrors(status(statuses.toReversed()), status(statuses));
  },
  'changed ephemeral containers': () =>
    ephemeralUpdateErrors(
      counted({ ephemeralContainers: names().toReversed() }),
      counted({ ephemeralContainers: names() }),
    ),
  'containers of a resized Pod': () => {
    keepPart(draft(counted({ containers: names() })), counted({ containers: names() }), 'resize');
    return resizeErrors(counted({ containers: names() }), counted({ containers: names() }));
  },
  'containers without the amounts that a quota limits': () => {
    const limited = ['requests.memory', 'limits.cpu', 'pods'];
    const missing = podQuota.undeclared?.(limited, counted({ containers: names() })) ?? [];
    const sorted = names()
      .map(({ name }) => name)
      .toSorted();
    assert.deepEqual(
      [...missing],
      [
        ['limits.cpu', sorted],
        ['requests.memory', sorted],
      ],
    );
  },
  'spaces in a certificate request': () => {
    const pem = `-----BEGIN CERTIFICATE REQUEST-----${' '.repeat(50 * count)}`;
    assert.equal(outerError(pem), 'PEM block type must be CERTIFICATE REQUEST');
  },
  'changed drivers of a CSINode': () =>
    csiNodeStrategy.validateUpdate?.(
      counted({ drivers: names({ nodeID: 'a' }).toReversed() }),
      counted({ drivers: names({ nodeID: 'a' }) }),
    ),
  'unchanged node ports of a Service': () => {
    const ports = (more: object) => list((at) => ({ port: at + 1, protocol: 'TCP', ...more }));
    const next = counted({ type: 'NodePort', clusterIP: 'None', ports: ports({ nodePort: 1 }).toReversed() });
    serviceStrategy(new Store()).prepareForUpdate?.(
      draft(next),
      counted({ type: 'NodePort', ports: ports({ nodePort: 2 }) }),
      { ...systemContext('test', 'update'), now: new Date(0) },
    );
  },
  'readiness gates of a Pod': () =>
    podCells(
      counted(
        { readinessGates: list((at) => ({ conditionType: `n${at}` })) },
        { conditions: list((at) => ({ type: `n${at}`, status: 'True' })) },
      ),
      new Date(),
    ),
  'container ports with the same number and different host ports': () => {
    const ports = list((at) => ({ containerPort: 1, hostPort: at + 1, hostIP: `10.0.${at >> 8}.${at % 256}` }));
    const { spec } = counted({ containers: [{ name: 'a', ports }] }) as unknown as { readonly spec: JsonDraft };
    return podSpecWarnings(spec, {}, '');
  },
  'named ports of a Service and a Pod': () =>
    portsOf(
      counted({ ports: list((at) => ({ port: at + 1, targetPort: `n${at}` })) }),
      counted({ containers: [{ name: 'a', ports: list((at) => ({ name: `n${at}`, containerPort: at + 1 })) }] }),
    ),
  'ports of a Service and its Pods': () => {
    const portsOfPod = portLists(counted({ ports: list((at) => ({ port: at + 1, targetPort: at + 1 })) }));
    const pods = list(() => counted({ containers: [{ name: 'a' }] }), 1000);
    assert.equal(new Set(pods.map(portsOfPod)).size, 1);
  },
  'taints and tolerations': () => {
    const isTolerated = tolerationsOf(counted({ tolerations: list((at) => ({ key: `k${at}`, operator: 'Exists' })) }));
    const taints = objectsAt(
      counted({ taints: list((at) => ({ key: `x${at}`, effect: 'NoExecute' })) }),
      'spec',
      'taints',
    );
    assert.equal(taints.filter(isTolerated).length, 0);
  },
};

describe('rules over long lists', () => {
  for (const [title, run] of Object.entries(rules)) {
    test(`a rule reads each item of a long list only a few times: ${title}`, () => {
      run();
    });
  }

  test('the admission plugins for LimitRanges read each container only a few times', () => {
    const registry = new Registry({ store: new Store(), clock: new SystemClock() });
    const resources = (length: number) => Object.fromEntries(list((at) => [`example.com/r${at}`, '1'], length));
    const key = { namespace: 'default', name: 'a' };
    const limits = [{ type: 'Container', min: resources(5000) }];
    registry.builtIn('/v1/limitranges').create({ metadata: key, spec: { limits } }, systemContext('test', 'create'));
    const { definition } = registry.builtIn('/v1/pods');
    const pod = (containers: readonly object[]) => draft(counted({ containers }));
    const request = (object: DraftObject) =>
      ({
        operation: 'CREATE',
        definition,
        kind: definition,
        name: key.name,
        key,
        object,
        old: undefined,
        context: systemContext('test', 'create'),
        registry,
      }) as const;
    const containers = names();
    assert.throws(() => limitRanger(request(pod(containers))), { status: 403, message: /No request is specified/ });
    const defaults = [{ type: 'Container', default: resources(5000), defaultRequest: resources(5000) }];
    registry
      .builtIn('/v1/limitranges')
      .update(key, (live) => ({ ...live, spec: { limits: defaults } }), systemContext('test', 'update'));
    assert.throws(() => limitDefaults(request(pod(containers))), { status: 413 });
  });

  test('the server lists the Services only once to allocate the node ports of a new Service', () => {
    let lists = 0;
    class CountingStore extends Store {
      override list(...options: Parameters<Store['list']>): ReturnType<Store['list']> {
        lists += 1;
        return super.list(...options);
      }
    }
    const ports = list((at) => ({ port: at + 1, protocol: 'TCP' }), 2000);
    const service = counted({ type: 'NodePort', clusterIP: 'None', ports });
    serviceStrategy(new CountingStore()).prepareForCreate?.(draft(service), systemContext('test', 'create'));
    assert.equal(new Set(objectsAt(service, 'spec', 'ports').map(({ nodePort }) => nodePort)).size, 2000);
    assert.equal(lists, 1);
  });

  test('containerAmounts adds the requests of all containers and of all sidecars', () => {
    const container = (name: string, restartPolicy?: string) => ({
      resources: { requests: { [name]: '2', cpu: '1' } },
      ...(restartPolicy === undefined ? {} : { restartPolicy }),
    });
    const containers = list((at) => container(`c${at}`));
    const initContainers = list((at) => container(`i${at}`, at % 2 === 0 ? 'Always' : undefined));
    const amounts = containerAmounts({ containers, initContainers }, 'requests');
    assert.equal(amounts.size, 2 * count + 1);
    assert.equal(amounts.get('cpu')?.nanos, BigInt(count + count / 2) * 1_000_000_000n);
  });
});
