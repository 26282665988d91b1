import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { compareCells, listOf } from './workload-bodies.js';

const dry = '?dryRun=All';
const quiet = { quiet: true };
const metadata = { name: 'a' };
const generation = { only: ['metadata.generation'] };
const storage = (plural: string): string => `/apis/storage.k8s.io/v1/${plural}`;
const admission = (plural: string): string => `/apis/admissionregistration.k8s.io/v1/${plural}`;
const flow = (plural: string): string => `/apis/flowcontrol.apiserver.k8s.io/v1/${plural}`;
const priorities = '/apis/scheduling.k8s.io/v1/priorityclasses';
const runtimes = '/apis/node.k8s.io/v1/runtimeclasses';
const services = '/apis/apiregistration.k8s.io/v1/apiservices';
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const leases = (api: ContractApi): string => listOf(api, 'coordination.k8s.io/v1', 'leases');
const claims = (api: ContractApi, plural = 'resourceclaims'): string => listOf(api, 'resource.k8s.io/v1', plural);
const slices = '/apis/resource.k8s.io/v1/resourceslices';
const causes = { only: ['reason', 'details.causes.*.field', 'details.causes.*.reason'] };

/** A PEM-encoded certificate signing request that its creator signed. */
const signingRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIHGMG8CAQAwDTELMAkGA1UEAwwCbWUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AASJRq7sUTM4CQPCAu0pIbbb/J/IgCu6ITnLQvkbAxazWXIpipOsmflQycweOiTe
HwzAwAHsjXwC8r7v+RhiLkdaoAAwCgYIKoZIzj0EAwIDRwAwRAIgOg86C8kbTE+x
6/VFAKU9VFPX53Uzb4QuwmXSliQXgloCIAFQ4oUIczfsos8gjLRJiIHscXhAGvR9
m4rvnSCJSfMR
-----END CERTIFICATE REQUEST-----
`;

const rule = { apiGroups: ['g.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['widgets'] };
const webhook = (more: object = {}): object => ({
  name: 'a.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { service: { name: 's', namespace: 'n' } },
  rules: [rule],
  ...more,
});
const hooks = (...webhooks: object[]): object => ({ metadata, webhooks });

contract(
  'other-groups',
  {},
  {
    'defaults a StorageClass': async (api) => {
      await api.post(storage('storageclasses') + dry, {
        metadata: { name: api.name('class') },
        provisioner: 'example.com/p',
      });
    },
    'validates a StorageClass': async (api) => {
      await api.post(storage('storageclasses'), { metadata });
      await api.post(storage('storageclasses'), {
        metadata,
        provisioner: 'a b',
        reclaimPolicy: 'Recycle',
        volumeBindingMode: 'Never',
        parameters: { '': 'x' },
      });
      const allowedTopologies = [
        {
          matchLabelExpressions: [
            { key: 'a b', values: [] },
            { key: 'c', values: ['d', 'd'] },
            { key: 'c', values: ['e f'] },
          ],
        },
      ];
      await api.post(storage('storageclasses'), { metadata, provisioner: 'example.com/p', allowedTopologies });
    },
    'rejects changes of immutable fields of a StorageClass': async (api) => {
      const name = api.name('class');
      const path = `${storage('storageclasses')}/${name}`;
      await api.post(
        storage('storageclasses'),
        { metadata: { name }, provisioner: 'example.com/p', parameters: { a: 'b' } },
        quiet,
      );
      await api.patch(path, {
        provisioner: 'example.com/q',
        parameters: { a: 'c' },
        reclaimPolicy: 'Retain',
        volumeBindingMode: 'WaitForFirstConsumer',
      });
      await api.patch(
        path,
        { allowVolumeExpansion: true, mountOptions: ['ro'] },
        { only: ['allowVolumeExpansion', 'mountOptions'] },
      );
      await compareCells(api, path);
      await api.delete(path, undefined, quiet);
    },
    'defaults a CSIDriver': async (api) => {
      await api.post(storage('csidrivers') + dry, { metadata: { name: api.name('driver') }, spec: {} });
    },
    'validates a CSIDriver': async (api) => {
      const tokenRequests = [{ audience: 'a', expirationSeconds: 5 }, { audience: 'a' }];
      await api.post(storage('csidrivers'), {
        metadata,
        spec: { fsGroupPolicy: 'Odd', volumeLifecycleModes: ['Odd'], tokenRequests },
      });
      await api.post(storage('csidrivers'), {
        metadata,
        spec: { nodeAllocatableUpdatePeriodSeconds: 5, serviceAccountTokenInSecrets: true },
      });
    },
    'rejects changes of immutable fields of a CSIDriver': async (api) => {
      const name = api.name('driver');
      const path = `${storage('csidrivers')}/${name}`;
      await api.post(
        storage('csidrivers'),
        { metadata: { name }, spec: { tokenRequests: [{ audience: 'x' }] } },
        quiet,
      );
      await api.patch(path, { spec: { attachRequired: false, volumeLifecycleModes: ['Ephemeral'] } });
      await compareCells(api, path);
      await api.delete(path, undefined, quiet);
    },
    'validates a CSINode': async (api) => {
      const drivers = [
        { name: '', nodeID: '' },
        { name: 'A_b', nodeID: 'x', topologyKeys: ['a b', 'c', 'c'] },
        { name: 'A_b', nodeID: 'y', allocatable: { count: -1 } },
      ];
      await api.post(storage('csinodes'), { metadata, spec: { drivers } });
      await api.post(
        storage('csinodes') + dry,
        { metadata: { name: api.name('node') }, spec: { drivers: [] } },
        { only: ['spec'] },
      );
    },
    'validates a CSIStorageCapacity, and rejects changes of its topology and class': async (api) => {
      const list = listOf(api, 'storage.k8s.io/v1', 'csistoragecapacities');
      await api.post(list, { metadata, capacity: '-1' });
      await api.post(
        list,
        { metadata, storageClassName: 'a', capacity: '1024Mi', nodeTopology: { matchLabels: { a: 'b' } } },
        { only: ['storageClassName', 'capacity'] },
      );
      await api.patch(`${list}/a`, { storageClassName: 'b', nodeTopology: { matchLabels: { a: 'c' } } });
    },
    'validates a VolumeAttachment': async (api) => {
      await api.post(storage('volumeattachments'), { metadata, spec: {} });
      await api.post(storage('volumeattachments'), {
        metadata,
        spec: { attacher: 'A_b', nodeName: 'A_b', source: { persistentVolumeName: 'A_b' } },
      });
    },
    'rejects a change of the spec of a VolumeAttachment': async (api) => {
      const name = api.name('attachment');
      const path = `${storage('volumeattachments')}/${name}`;
      await api.post(
        storage('volumeattachments'),
        {
          metadata: { name },
          spec: { attacher: 'example.com', nodeName: 'none', source: { persistentVolumeName: 'v' } },
        },
        { only: ['spec', 'status'] },
      );
      await api.patch(path, { spec: { nodeName: 'other' } });
      await api.patch(`${path}/status`, { status: { attached: true } }, { only: ['status'] });
      await compareCells(api, path);
      await api.delete(path, undefined, quiet);
    },
    'adds the protection finalizer to a VolumeAttributesClass, and rejects changes': async (api) => {
      const name = api.name('class');
      const path = `${storage('volumeattributesclasses')}/${name}`;
      await api.post(storage('volumeattributesclasses'), { metadata: { name } });
      await api.post(
        storage('volumeattributesclasses'),
        { metadata: { name }, driverName: 'example.com', parameters: { a: 'b' } },
        { only: ['metadata.finalizers', 'driverName', 'parameters'] },
      );
      await api.patch(path, { driverName: 'other.com', parameters: { a: 'c' } });
      await compareCells(api, path);
      await api.delete(path, undefined, quiet);
      // The controller that removes the protection finalizer runs only on servers with workloads.
      await api.patch(path, { metadata: { finalizers: null } }, quiet);
    },
    'defaults a PriorityClass': async (api) => {
      await api.post(priorities + dry, { metadata: { name: api.name('priority') }, value: 7 });
    },
    'protects the system PriorityClasses and reserves their names and values': async (api) => {
      await api.post(priorities, { metadata: { name: 'system-mine' }, value: 1 });
      await api.post(priorities, { metadata, value: 1_000_000_001, preemptionPolicy: 'Odd' });
      await api.get(priorities + '/system-node-critical', {
        only: ['value', 'description', 'preemptionPolicy', 'metadata.generation'],
      });
      await api.delete(`${priorities}/system-node-critical`);
    },
    'rejects changes of a PriorityClass value': async (api) => {
      const name = api.name('priority');
      await api.post(priorities, { metadata: { name }, value: 7 }, quiet);
      await api.patch(`${priorities}/${name}`, { value: 8, preemptionPolicy: 'Never' });
      await api.patch(
        `${priorities}/${name}`,
        { description: 'mine' },
        { only: ['description', 'metadata.generation'] },
      );
      await compareCells(api, `${priorities}/${name}`);
      await api.delete(`${priorities}/${name}`, undefined, quiet);
    },
    'validates a RuntimeClass, and rejects a change of its handler': async (api) => {
      const name = api.name('runtime');
      await api.post(runtimes, { metadata });
      await api.post(runtimes, { metadata, handler: 'A_b', scheduling: { nodeSelector: { a: 'b c' } } });
      await api.post(runtimes, { metadata: { name }, handler: 'mine' }, { only: ['handler'] });
      await api.patch(`${runtimes}/${name}`, { handler: 'other' });
      await compareCells(api, `${runtimes}/${name}`);
      await api.delete(`${runtimes}/${name}`, undefined, quiet);
    },
    'validates a Lease': async (api) => {
      await api.post(leases(api) + dry, { metadata }, { only: ['spec'] });
      await api.post(leases(api), {
        metadata,
        spec: { leaseDurationSeconds: 0, leaseTransitions: -1, preferredHolder: 'me' },
      });
      await api.post(leases(api), { metadata, spec: { holderIdentity: 'me', leaseDurationSeconds: 5 } }, quiet);
      await compareCells(api, `${leases(api)}/a`);
    },
    'validates an Event of events.k8s.io': async (api) => {
      const list = listOf(api, 'events.k8s.io/v1', 'events');
      const regarding = { kind: 'ConfigMap', name: 'c', namespace: api.namespace, apiVersion: 'v1' };
      await api.post(list, { metadata });
      const event = {
        metadata,
        eventTime: '2026-01-01T00:00:00.000000Z',
        reportingController: 'example.com/c',
        reportingInstance: 'i',
        action: 'Doing',
        reason: 'Done',
        type: 'Normal',
        regarding,
        note: 'done',
      };
      await api.post(list, { ...event, type: 'Odd', reportingController: 'a b' });
      await api.post(
        list,
        {
          ...event,
          note: 'n'.repeat(1025),
          reason: 'r'.repeat(129),
          action: 'a'.repeat(129),
          reportingInstance: 'i'.repeat(129),
        },
        { only: ['reason', 'details.causes.*.field', 'details.causes.*.reason'] },
      );
      await api.post(
        list,
        { ...event, series: { count: 1, lastObservedTime: null } },
        { only: ['message', 'details', 'series'] },
      );
      await api.post(list, event);
      await api.patch(`${list}/a`, { note: 'other', action: 'Else' }, { only: ['message', 'details', 'note'] });
      await api.patch(
        `${list}/a`,
        { series: { count: 3, lastObservedTime: '2026-01-01T00:01:00.000000Z' } },
        { only: ['series', 'message'] },
      );
      await api.get(`/api/v1/namespaces/${api.namespace}/events/a`, {
        only: ['involvedObject', 'message', 'reason', 'series', 'reportingComponent'],
      });
      await api.get(`${list}?fieldSelector=regarding.name%3Dc,reason%3DDone`, { only: ['items.*.metadata.name'] });
      await api.get(`${list}?fieldSelector=involvedObject.name%3Dc`);
    },
    'defaults webhook configurations': async (api) => {
      await api.post(admission('validatingwebhookconfigurations') + dry, {
        ...hooks(webhook()),
        metadata: { name: api.name('hooks') },
      });
      await api.post(admission('mutatingwebhookconfigurations') + dry, {
        ...hooks(webhook()),
        metadata: { name: api.name('hooks') },
      });
    },
    'validates webhook configurations': async (api) => {
      await api.post(admission('validatingwebhookconfigurations'), hooks({}));
      const wrong = {
        name: 'a.b',
        failurePolicy: 'Odd',
        matchPolicy: 'Odd',
        sideEffects: 'Some',
        timeoutSeconds: 31,
        admissionReviewVersions: ['v9', 'v9', 'A_b'],
      };
      await api.post(
        admission('mutatingwebhookconfigurations'),
        hooks(webhook({ ...wrong, reinvocationPolicy: 'Odd' })),
      );
      await api.post(admission('validatingwebhookconfigurations'), hooks(webhook(), webhook()));
    },
    'validates the clientConfig of a webhook': async (api) => {
      const to = (clientConfig: object): object => hooks(webhook({ clientConfig }));
      for (const url of ['http://a', 'https://', 'https://u:p@a/b?c=d#e', 'a']) {
        await api.post(admission('validatingwebhookconfigurations'), to({ url }));
      }
      await api.post(admission('validatingwebhookconfigurations'), to({ service: { port: 0, path: 'a//B' } }));
      await api.post(
        admission('validatingwebhookconfigurations'),
        to({ url: 'https://a', service: { name: 'a', namespace: 'b' } }),
      );
    },
    'validates the rules of a webhook': async (api) => {
      const of = (...rules: object[]): object => hooks(webhook({ rules }));
      await api.post(admission('validatingwebhookconfigurations'), of({}));
      await api.post(
        admission('validatingwebhookconfigurations'),
        of({
          apiGroups: ['*', 'a'],
          apiVersions: ['*', ''],
          operations: ['*', 'READ'],
          resources: ['*', 'a', 'a/*', 'a/b', '*/*', '*/c', 'd/c', ''],
          scope: 'Odd',
        }),
      );
    },
    'validates the matchConditions of a webhook': async (api) => {
      const matchConditions = [
        { name: 'a b', expression: 'true' },
        { name: '', expression: ' ' },
        { name: 'c', expression: 'true' },
        { name: 'c', expression: 'true' },
      ];
      await api.post(admission('validatingwebhookconfigurations'), hooks(webhook({ matchConditions })));
    },
    'increments the generation of webhook configurations': async (api) => {
      const name = api.name('hooks');
      const path = `${admission('validatingwebhookconfigurations')}/${name}`;
      await api.post(
        admission('validatingwebhookconfigurations'),
        { ...hooks(webhook()), metadata: { name } },
        generation,
      );
      await api.patch(path, { metadata: { labels: { a: 'b' } } }, generation);
      await api.patch(path, { webhooks: [] }, generation);
      await compareCells(api, path);
      await api.delete(path, undefined, quiet);
    },
    'defaults admission policies': async (api) => {
      const matchConstraints = { resourceRules: [rule] };
      await api.post(admission('validatingadmissionpolicies') + dry, {
        metadata: { name: api.name('policy') },
        spec: { matchConstraints, validations: [{ expression: 'true' }] },
      });
      const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }];
      await api.post(admission('mutatingadmissionpolicies') + dry, {
        metadata: { name: api.name('policy') },
        spec: { matchConstraints, mutations, reinvocationPolicy: 'Never' },
      });
    },
    'validates admission policies': async (api) => {
      await api.post(admission('validatingadmissionpolicies'), { metadata });
      await api.post(admission('mutatingadmissionpolicies'), { metadata });
      const spec = {
        failurePolicy: 'Odd',
        paramKind: { apiVersion: 'A_b/c/d', kind: 'a b' },
        matchConstraints: {
          matchPolicy: 'Odd',
          resourceRules: [{ ...rule, operations: ['DELETE'], resourceNames: ['a', 'a'] }],
        },
      };
      await api.post(admission('validatingadmissionpolicies'), {
        metadata,
        spec: { ...spec, validations: [{ expression: ' ', message: 'a\nb', messageExpression: ' ', reason: 'Odd' }] },
      });
      await api.post(admission('mutatingadmissionpolicies'), {
        metadata,
        spec: {
          ...spec,
          mutations: [{ patchType: 'Odd' }, { patchType: 'JSONPatch', applyConfiguration: { expression: 'x' } }],
          reinvocationPolicy: 'Odd',
        },
      });
    },
    'validates bindings of admission policies': async (api) => {
      const bindings = admission('validatingadmissionpolicybindings');
      await api.post(bindings, { metadata });
      await api.post(bindings, {
        metadata,
        spec: {
          policyName: 'A_b',
          validationActions: ['Deny', 'Warn', 'Deny', 'Odd'],
          paramRef: { name: 'a/b', selector: {} },
        },
      });
      await api.post(admission('mutatingadmissionpolicybindings'), {
        metadata,
        spec: { policyName: 'a', paramRef: { parameterNotFoundAction: 'Odd' } },
      });
    },
    'returns admission policies and bindings as tables': async (api) => {
      const name = api.name('policy');
      const matchConstraints = { resourceRules: [rule] };
      await api.post(
        admission('validatingadmissionpolicies'),
        {
          metadata: { name },
          spec: {
            paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
            matchConstraints,
            validations: [{ expression: 'true' }],
          },
        },
        generation,
      );
      await api.post(
        admission('validatingadmissionpolicybindings'),
        {
          metadata: { name },
          spec: {
            policyName: 'none',
            validationActions: ['Audit'],
            paramRef: { name: 'p', parameterNotFoundAction: 'Deny' },
            matchResources: {},
          },
        },
        { only: ['spec'] },
      );
      for (const plural of ['validatingadmissionpolicies', 'validatingadmissionpolicybindings']) {
        await compareCells(api, `${admission(plural)}/${name}`);
        await api.delete(`${admission(plural)}/${name}`, undefined, quiet);
      }
    },
    'validates an APIService': async (api) => {
      await api.post(services, { metadata, spec: {} });
      await api.post(services, {
        metadata: { name: 'v1.A_b' },
        spec: {
          group: 'A_b',
          version: 'v1',
          groupPriorityMinimum: 20_001,
          versionPriority: 1001,
          service: { port: 0 },
          insecureSkipTLSVerify: true,
          caBundle: 'YQ==',
        },
      });
      await api.post(services, {
        metadata: { name: `v1.${api.group}` },
        spec: {
          group: api.group,
          version: 'v1',
          groupPriorityMinimum: 1,
          versionPriority: 1,
          insecureSkipTLSVerify: true,
          caBundle: 'YQ==',
        },
      });
    },
    'defaults an APIService': async (api) => {
      await api.post(services + dry, {
        metadata: { name: `v1.${api.group}` },
        spec: {
          group: api.group,
          version: 'v1',
          groupPriorityMinimum: 1,
          versionPriority: 1,
          service: { name: 's', namespace: 'n' },
          insecureSkipTLSVerify: true,
        },
      });
    },
    'creates APIServices for the groups of the server': async (api) => {
      for (const name of ['v1.', 'v1.apps', 'v2.autoscaling', 'v1.resource.k8s.io']) {
        await api.get(`${services}/${name}`, { only: ['metadata.labels', 'spec', 'status'] });
      }
    },
    'creates the default ServiceCIDR': async (api) => {
      await api.get('/apis/networking.k8s.io/v1/servicecidrs/kubernetes', {
        only: ['metadata.finalizers', 'spec', 'status'],
      });
    },
    'defaults a FlowSchema': async (api) => {
      await api.post(flow('flowschemas') + dry, {
        metadata: { name: api.name('flow') },
        spec: { priorityLevelConfiguration: { name: 'none' } },
      });
    },
    'validates a FlowSchema': async (api) => {
      await api.post(flow('flowschemas'), {
        metadata,
        spec: { matchingPrecedence: 10_001, distinguisherMethod: { type: 'Odd' } },
      });
      await api.post(flow('flowschemas'), {
        metadata,
        spec: { matchingPrecedence: 1, priorityLevelConfiguration: { name: 'A_b' }, rules: [{}] },
      });
      const subjects = [
        { kind: 'Odd' },
        { kind: 'User', group: { name: 'a' } },
        { kind: 'ServiceAccount', serviceAccount: { name: 'A_b' } },
        { kind: 'Group', group: {} },
      ];
      const resourceRules = [
        { verbs: ['*', 'get'], apiGroups: ['*', 'a'], resources: ['*', 'a'], namespaces: ['*', 'a'] },
        { verbs: ['see'], apiGroups: [], resources: [], namespaces: ['A_b'] },
        {},
      ];
      await api.post(flow('flowschemas'), {
        metadata,
        spec: {
          matchingPrecedence: -1,
          priorityLevelConfiguration: { name: 'a' },
          rules: [{ subjects, resourceRules, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['*', '/a'] }] }],
        },
      });
    },
    'creates the default FlowSchemas': async (api) => {
      for (const name of ['exempt', 'catch-all', 'service-accounts', 'probes']) {
        await api.get(`${flow('flowschemas')}/${name}`, { only: ['spec', 'status', 'metadata.annotations'] });
      }
      for (const name of ['exempt', 'catch-all', 'workload-low', 'leader-election']) {
        await api.get(`${flow('prioritylevelconfigurations')}/${name}`, { only: ['spec', 'metadata.annotations'] });
      }
    },
    'defaults a PriorityLevelConfiguration': async (api) => {
      const limited = { limitResponse: { type: 'Queue', queuing: {} } };
      await api.post(flow('prioritylevelconfigurations') + dry, {
        metadata: { name: api.name('level') },
        spec: { type: 'Limited', limited },
      });
    },
    'validates a PriorityLevelConfiguration': async (api) => {
      const post = (spec: object): Promise<unknown> =>
        api.post(flow('prioritylevelconfigurations'), { metadata, spec });
      await post({});
      await post({
        type: 'Exempt',
        exempt: { nominalConcurrencyShares: -1, lendablePercent: 101 },
        limited: { limitResponse: { type: 'Reject' } },
      });
      await post({ type: 'Limited', exempt: {} });
      await post({
        type: 'Limited',
        limited: { nominalConcurrencyShares: -1, lendablePercent: -1, borrowingLimitPercent: -1, limitResponse: {} },
      });
      await post({ type: 'Limited', limited: { limitResponse: { type: 'Reject', queuing: {} } } });
      await post({ type: 'Limited', limited: { limitResponse: { type: 'Queue' } } });
      await post({ type: 'Odd' });
    },
    'returns FlowSchemas and PriorityLevelConfigurations as tables': async (api) => {
      const name = api.name('flow');
      await api.post(
        flow('prioritylevelconfigurations'),
        {
          metadata: { name },
          spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: { queues: 8, handSize: 2 } } } },
        },
        generation,
      );
      await compareCells(api, `${flow('prioritylevelconfigurations')}/${name}`);
      await api.delete(`${flow('prioritylevelconfigurations')}/${name}`, undefined, quiet);
    },
    'validates a CertificateSigningRequest': async (api) => {
      await api.post(requests, { metadata, spec: {} });
      const spec = {
        request: Buffer.from('nonsense').toString('base64'),
        usages: ['flying', 'client auth', 'client auth'],
        signerName: 'me',
        expirationSeconds: 5,
      };
      await api.post(requests, { metadata, spec });
      await api.post(requests, { metadata, spec: { ...spec, signerName: 'Me/You_too' } }, causes);
      await api.get(`${requests}?fieldSelector=spec.username%3Dme`);
      await api.get(`${requests}?fieldSelector=spec.signerName%3Dnobody.example.com%2Fnone`, { only: ['items'] });
    },
    'rejects a CertificateSigningRequest with an invalid request': async (api) => {
      const of = (pem: string): object => ({
        metadata,
        spec: { request: Buffer.from(pem).toString('base64'), usages: ['client auth'], signerName: 'example.com/me' },
      });
      await api.post(requests, of(signingRequest.replace(/\n[^-]*\n-----END/, '\nMIHHMG8CAQAwDTEL\n-----END')));
      await api.post(requests, of(signingRequest.replace(/\n[^-]*\n-----END/, '\nYWJj\n-----END')));
    },
    'approves a CertificateSigningRequest through the approval subresource': async (api) => {
      const name = api.name('request');
      const path = `${requests}/${name}`;
      const request = Buffer.from(signingRequest).toString('base64');
      const shown = { only: ['spec.signerName', 'spec.usages', 'status', 'message', 'details'] };
      await api.post(
        requests,
        {
          metadata: { name },
          spec: { request, usages: ['client auth'], signerName: 'example.com/me', expirationSeconds: 3600 },
          status: { conditions: [{ type: 'Approved', status: 'True' }] },
        },
        shown,
      );
      const conditions = [{ type: 'Approved', status: 'True', reason: 'Mine', message: 'yes' }];
      await api.patch(path, { spec: { signerName: 'example.com/other' }, status: { conditions } }, shown);
      await api.patch(`${path}/status`, { status: { conditions } }, shown);
      await api.patch(
        `${path}/approval`,
        { status: { conditions: [...conditions, { type: 'Denied', status: 'True' }] } },
        shown,
      );
      await api.patch(`${path}/approval`, { status: { conditions: [{ type: 'Approved', status: 'False' }] } }, shown);
      await api.patch(`${path}/approval`, { status: { conditions, certificate: 'YQ==' } }, shown);
      await api.patch(`${path}/approval`, { status: { conditions: [] } }, shown);
      await api.patch(
        `${path}/status`,
        { status: { conditions: [...conditions, { type: 'Failed', status: 'True' }] } },
        shown,
      );
      await api.get(`${path}/approval`, shown);
      await api.get(`${requests}?fieldSelector=spec.signerName%3Dexample.com%2Fme,metadata.name%3D${name}`, {
        only: ['items.*.spec.signerName'],
      });
      await api.delete(path, undefined, quiet);
    },
    'defaults a ResourceClaim and a ResourceClaimTemplate': async (api) => {
      const devices = {
        requests: [
          { name: 'a', exactly: { deviceClassName: 'c' } },
          { name: 'b', firstAvailable: [{ name: 'd', deviceClassName: 'e', allocationMode: 'All' }] },
        ],
      };
      await api.post(claims(api) + dry, { metadata, spec: { devices } });
      await api.post(claims(api, 'resourceclaimtemplates') + dry, { metadata, spec: { spec: { devices } } });
    },
    'validates a ResourceClaim, and rejects changes of its spec': async (api) => {
      await api.post(claims(api), {
        metadata,
        spec: {
          devices: {
            requests: [
              { name: '' },
              { name: 'A_b', exactly: {} },
              { name: 'c', exactly: { deviceClassName: 'A_b', count: -1 } },
            ],
          },
        },
      });
      await api.post(
        claims(api),
        { metadata, spec: { devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'none' } }] } } },
        quiet,
      );
      await api.patch(
        `${claims(api)}/a`,
        { spec: { devices: { requests: [{ name: 'b', exactly: { deviceClassName: 'none' } }] } } },
        causes,
      );
      await compareCells(api, `${claims(api)}/a`);
    },
    'increments the generation of a DeviceClass': async (api) => {
      const name = api.name('devices');
      const list = '/apis/resource.k8s.io/v1/deviceclasses';
      await api.post(list, { metadata: { name }, spec: {} }, { only: ['spec', 'metadata.generation'] });
      await compareCells(api, `${list}/${name}`);
      await api.delete(`${list}/${name}`, undefined, quiet);
    },
    'validates a ResourceSlice, and selects ResourceSlices by fields': async (api) => {
      await api.post(slices, { metadata, spec: {} });
      await api.post(slices, {
        metadata,
        spec: { driver: 'A_b', pool: { name: 'A_b', resourceSliceCount: 1 }, nodeName: 'n1', allNodes: true },
      });
      await api.get(`${slices}?fieldSelector=spec.pool.name%3Dx`);
      await api.get(`${slices}?fieldSelector=spec.driver%3Dnobody.example.com`, { only: ['items'] });
    },
    'accepts and returns MicroTime values with six digits': async (api) => {
      const times = ['2024-01-01T00:00:00.123456Z', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00.123Z'];
      for (const renewTime of [...times, '2024-01-01T00:00:00.1234567Z', '2024-01-01T02:00:00.123456+02:00']) {
        await api.post(leases(api) + dry, { metadata, spec: { renewTime } }, { only: ['spec', 'message'] });
      }
    },
    'returns an Event of events.k8s.io through the core API, and rejects changes': async (api) => {
      const list = listOf(api, 'events.k8s.io/v1', 'events');
      const involvedObject = { kind: 'Pod', name: 'p', namespace: api.namespace };
      const core = `/api/v1/namespaces/${api.namespace}/events`;
      await api.post(core, { metadata, involvedObject, count: 1, reason: 'r' }, quiet);
      await api.get(`${list}/a`);
      await api.patch(`${list}/a`, { metadata: { labels: { a: 'b' } } }, { only: ['metadata.labels', 'message'] });
      for (const change of [{ regarding: { name: 'q' } }, { deprecatedSource: { component: 'c' } }]) {
        await api.patch(`${list}/a`, change);
      }
    },
  },
);
