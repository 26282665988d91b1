import { contract } from './contract.js';

type Named = { readonly namespace: string };

const configMaps = (api: Named): string => `/api/v1/namespaces/${api.namespace}/configmaps`;
const pods = (api: Named): string => `/api/v1/namespaces/${api.namespace}/pods`;
const deployments = (api: Named): string => `/apis/apps/v1/namespaces/${api.namespace}/deployments`;

const deployment = {
  metadata: { name: 'web' },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
  },
};

const pod = (name: string): object => ({
  metadata: { name },
  spec: { schedulerName: 'none', containers: [{ name: 'c', image: 'nginx' }] },
});

contract(
  'verbs',
  {},
  {
    'returns a created object with server fields': async (api) => {
      await api.post(configMaps(api), {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a' },
        data: { k: 'v' },
      });
      await api.get(`${configMaps(api)}/a`);
    },
    'accepts a body without apiVersion and kind': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a' }, data: { k: 'v' } });
    },
    'rejects a create with an existing name': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.post(configMaps(api), { metadata: { name: 'a' } });
      await api.post(deployments(api), deployment, { quiet: true });
      await api.post(deployments(api), deployment);
    },
    'drops server fields of a new object': async (api) => {
      await api.post(configMaps(api), {
        metadata: {
          name: 'a',
          uid: 'mine',
          creationTimestamp: '2001-01-01T00:00:00Z',
          deletionTimestamp: '2001-01-01T00:00:00Z',
          deletionGracePeriodSeconds: 5,
          generation: 7,
          selfLink: '/mine',
        },
      });
    },
    'rejects a new object with a resourceVersion': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', resourceVersion: '5' } });
      await api.post(configMaps(api), { metadata: { name: 'a', resourceVersion: '' } });
      await api.post(configMaps(api), { metadata: { name: 'b', resourceVersion: '0' } });
    },
    'treats a null creationTimestamp as unset': async (api) => {
      await api.post(configMaps(api), {
        metadata: { name: 'a', creationTimestamp: null, labels: null, annotations: {} },
      });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', creationTimestamp: null } });
    },
    'drops empty maps and lists of metadata': async (api) => {
      await api.post(configMaps(api), {
        metadata: { name: 'a', labels: {}, annotations: {}, finalizers: [], ownerReferences: [] },
        data: {},
      });
    },
    'rejects or ignores changes of server fields': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', creationTimestamp: '2001-01-01T00:00:00Z' } });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', deletionTimestamp: '2001-01-01T00:00:00Z' } });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', deletionGracePeriodSeconds: 3 } });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', generation: 9, selfLink: '/x' } });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', uid: 'another' } });
    },
    'rejects an update with a stale resourceVersion': async (api) => {
      const created = await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a' }, data: { k: '1' } }, { quiet: true });
      await api.put(`${configMaps(api)}/a`, { ...created.body, data: { k: '2' } });
      await api.post(deployments(api), deployment, { quiet: true });
      await api.put(`${deployments(api)}/web`, { ...deployment, metadata: { name: 'web', resourceVersion: '1' } });
    },
    'accepts an update without a resourceVersion': async (api) => {
      await api.post(
        configMaps(api),
        { metadata: { name: 'a', labels: { x: 'y' } }, data: { k: '1' } },
        { quiet: true },
      );
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a' }, data: { k: '2' } });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', resourceVersion: '0' }, data: { k: '3' } });
    },
    'rejects an update without a resourceVersion for kinds that require it': async (api) => {
      const lease = `/apis/coordination.k8s.io/v1/namespaces/${api.namespace}/leases`;
      await api.post(lease, { metadata: { name: 'l' } }, { quiet: true });
      await api.put(`${lease}/l`, { metadata: { name: 'l' }, spec: { leaseDurationSeconds: 5 } });
    },
    'rejects an update with an invalid resourceVersion': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', resourceVersion: 'x' } });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', resourceVersion: '-1' } });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', resourceVersion: '01' } });
    },
    'does not store an update without changes': async (api) => {
      const created = await api.post(configMaps(api), { metadata: { name: 'a' }, data: { k: 'v' } }, { quiet: true });
      const updated = await api.put(`${configMaps(api)}/a`, created.body, { quiet: true });
      const patched = await api.patch(`${configMaps(api)}/a`, { data: { k: 'v' } }, { quiet: true });
      const version = created.body.metadata.resourceVersion;
      if (updated.body.metadata.resourceVersion !== version)
        throw new Error('an update without changes changed the resourceVersion');
      if (patched.body.metadata.resourceVersion !== version)
        throw new Error('a patch without changes changed the resourceVersion');
    },
    'returns 404 for an update of an absent object': async (api) => {
      await api.put(`${configMaps(api)}/none`, { metadata: { name: 'none' } });
      await api.put(`${deployments(api)}/none`, { ...deployment, metadata: { name: 'none' } });
    },
    'creates a Lease by an update': async (api) => {
      const lease = `/apis/coordination.k8s.io/v1/namespaces/${api.namespace}/leases`;
      await api.put(`${lease}/l`, { metadata: { name: 'l' }, spec: { leaseDurationSeconds: 5 } });
      await api.put(`${lease}/m`, { metadata: { name: 'm', resourceVersion: '5' } });
      await api.put(`${lease}/n`, { metadata: { name: 'n', uid: 'mine' } });
    },
    'increments the generation only for changes of the spec': async (api) => {
      await api.post(deployments(api), deployment, { only: ['metadata.generation'] });
      await api.patch(
        `${deployments(api)}/web`,
        { metadata: { labels: { a: 'b' } } },
        { only: ['metadata.generation'] },
      );
      await api.patch(`${deployments(api)}/web`, { spec: { paused: true } }, { only: ['metadata.generation'] });
    },
    'changes only the status and some metadata through the status subresource': async (api) => {
      await api.post(pods(api), pod('p'), { quiet: true });
      const live = await api.get(`${pods(api)}/p`, { quiet: true });
      await api.put(
        `${pods(api)}/p/status`,
        {
          ...live.body,
          metadata: { ...live.body.metadata, labels: { l: 'l' }, annotations: { a: 'a' }, finalizers: ['e.x/f'] },
          spec: { ...live.body.spec, activeDeadlineSeconds: 5 },
          status: { ...live.body.status, message: 'hello' },
        },
        {
          only: [
            'metadata.labels',
            'metadata.annotations',
            'metadata.finalizers',
            'spec.activeDeadlineSeconds',
            'status',
          ],
        },
      );
      await api.get(`${pods(api)}/p/status`, { only: ['status.message', 'kind'] });
    },
    'replaces the status of a new Pod with the initial status': async (api) => {
      await api.post(pods(api), { ...pod('p'), status: { phase: 'Running', message: 'm' } }, { only: ['status'] });
    },
    'returns a Status for a deletion': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`);
      await api.get(`${configMaps(api)}/a`);
      await api.delete(`${configMaps(api)}/a`);
    },
    'names the API group in the Status of a deletion': async (api) => {
      await api.post(deployments(api), deployment, { quiet: true });
      await api.delete(`${deployments(api)}/web`);
      await api.get(`${deployments(api)}/none`);
    },
    'marks an object with finalizers for deletion': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', finalizers: ['example.com/f'] } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`);
      await api.delete(`${configMaps(api)}/a`);
      await api.patch(`${configMaps(api)}/a`, { metadata: { finalizers: ['example.com/f', 'example.com/g'] } });
      await api.patch(`${configMaps(api)}/a`, { metadata: { finalizers: ['example.com/g'] } });
      await api.patch(`${configMaps(api)}/a`, { data: { still: 'writable' } });
      await api.patch(`${configMaps(api)}/a`, { metadata: { finalizers: null } });
      await api.get(`${configMaps(api)}/a`);
    },
    'rejects changes of the deletion fields of a terminating object': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', finalizers: ['example.com/f'] } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`, undefined, { quiet: true });
      await api.patch(`${configMaps(api)}/a`, { metadata: { deletionTimestamp: null } });
      await api.patch(`${configMaps(api)}/a`, { metadata: { deletionGracePeriodSeconds: null } });
      await api.patch(`${configMaps(api)}/a`, { metadata: { deletionGracePeriodSeconds: 9 } });
      await api.patch(`${configMaps(api)}/a`, { metadata: { finalizers: null } }, { quiet: true });
    },
    'increments the generation of a terminating Deployment': async (api) => {
      const held = { ...deployment, metadata: { name: 'web', finalizers: ['example.com/f'] } };
      await api.post(deployments(api), held, { only: ['metadata.generation'] });
      await api.delete(`${deployments(api)}/web`, undefined, { only: ['metadata.generation', 'metadata.finalizers'] });
      await api.patch(`${deployments(api)}/web`, { metadata: { finalizers: null } }, { only: ['metadata.generation'] });
    },
    'enforces the preconditions of a deletion': async (api) => {
      const created = await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      const { uid, resourceVersion } = created.body.metadata;
      await api.delete(`${configMaps(api)}/a`, { preconditions: { uid: '00000000-0000-0000-0000-000000000000' } });
      await api.delete(`${configMaps(api)}/a`, { preconditions: { resourceVersion: '1' } });
      await api.delete(`${configMaps(api)}/a`, { preconditions: { uid, resourceVersion: '1' } });
      await api.delete(`${configMaps(api)}/a`, { preconditions: { uid, resourceVersion } });
    },
    'adds the finalizer foregroundDeletion for the propagation policy Foreground': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', finalizers: ['example.com/f'] } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`, { propagationPolicy: 'Foreground' }, { only: ['metadata.finalizers'] });
      await api.patch(`${configMaps(api)}/a`, { metadata: { finalizers: null } }, { quiet: true });
    },
    'adds the finalizer orphan for the propagation policy Orphan': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', finalizers: ['example.com/f'] } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a?propagationPolicy=Orphan`, undefined, { only: ['metadata.finalizers'] });
      await api.patch(`${configMaps(api)}/a`, { metadata: { finalizers: null } }, { quiet: true });
    },
    'adds or removes the finalizer orphan for the deprecated option orphanDependents': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', finalizers: ['example.com/f'] } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`, { orphanDependents: true }, { only: ['metadata.finalizers'] });
      await api.patch(`${configMaps(api)}/a`, { metadata: { finalizers: null } }, { quiet: true });
      await api.post(
        configMaps(api),
        { metadata: { name: 'b', finalizers: ['example.com/f', 'orphan'] } },
        { quiet: true },
      );
      await api.delete(`${configMaps(api)}/b?orphanDependents=false`, undefined, { only: ['metadata.finalizers'] });
      await api.patch(`${configMaps(api)}/b`, { metadata: { finalizers: null } }, { quiet: true });
    },
    'rejects invalid propagation policies': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`, { propagationPolicy: 'Sideways' });
      await api.delete(`${configMaps(api)}/a`, { propagationPolicy: 'Orphan', orphanDependents: true });
      await api.delete(`${configMaps(api)}/a?propagationPolicy=Sideways`);
      await api.delete(`${configMaps(api)}/a`, { propagationPolicy: '' });
    },
    'rejects invalid delete options, and ignores the version of the options': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`, { dryRun: ['Some'] });
      await api.delete(`${configMaps(api)}/a?dryRun=Some`);
      await api.delete(`${configMaps(api)}/a`, { gracePeriodSeconds: 'soon' });
      await api.delete(`${configMaps(api)}/a?gracePeriodSeconds=soon`);
      await api.delete(`${configMaps(api)}/a`, { kind: 'ConfigMap', apiVersion: 'v1' });
      await api.delete(`${configMaps(api)}/a`, { kind: 'DeleteOptions', apiVersion: 'v9' });
      await api.get(`${configMaps(api)}/a`);
      await api.post(configMaps(api), { metadata: { name: 'b' } }, { quiet: true });
      await api.delete(`${configMaps(api)}/b`, { kind: 'DeleteOptions', apiVersion: 'v1', unknown: 1 });
      await api.get(`${configMaps(api)}/b`);
    },
    'accepts delete options of another group and version': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`, { kind: 'DeleteOptions', apiVersion: 'apps/v1' });
      await api.post(configMaps(api), { metadata: { name: 'b' } }, { quiet: true });
      await api.delete(`${configMaps(api)}/b`, { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' });
      await api.post(configMaps(api), { metadata: { name: 'c' } }, { quiet: true });
      await api.delete(`${configMaps(api)}/c`, { kind: 'DeleteOptions' });
    },
    'treats a negative grace period as immediate': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`, { gracePeriodSeconds: -5 });
      await api.post(pods(api), pod('p'), { quiet: true });
      await api.delete(`${pods(api)}/p`, { gracePeriodSeconds: -1 }, { only: ['metadata.deletionGracePeriodSeconds'] });
    },
    'immediately deletes a pod that is not on a node': async (api) => {
      await api.post(pods(api), pod('p'), { quiet: true });
      await api.delete(`${pods(api)}/p`, undefined, {
        only: ['kind', 'metadata.deletionGracePeriodSeconds', 'status'],
      });
      await api.get(`${pods(api)}/p`);
    },
    'deletes a collection by label': async (api) => {
      for (const name of ['a', 'b', 'c']) {
        await api.post(
          configMaps(api),
          { metadata: { name, labels: { keep: String(name === 'b') } } },
          { quiet: true },
        );
      }
      await api.delete(`${configMaps(api)}?labelSelector=keep%3Dfalse`, undefined, { only: ['kind', 'items'] });
      await api.get(`${configMaps(api)}?labelSelector=keep`, { only: ['items'] });
    },
    'deletes a collection by field, and marks objects with finalizers': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', finalizers: ['example.com/f'] } }, { quiet: true });
      await api.delete(`${configMaps(api)}?fieldSelector=metadata.name%3Da`, undefined, { only: ['kind', 'items'] });
      await api.get(`${configMaps(api)}/a`, { only: ['metadata'] });
      await api.patch(`${configMaps(api)}/a`, { metadata: { finalizers: null } }, { quiet: true });
    },
    'applies delete options to the deletion of a collection': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', labels: { x: 'y' } } }, { quiet: true });
      const selected = `${configMaps(api)}?labelSelector=x%3Dy`;
      await api.delete(selected, { propagationPolicy: 'Sideways' });
      await api.delete(selected, { preconditions: { uid: '00000000-0000-0000-0000-000000000000' } });
      await api.delete(`${selected}&dryRun=All`, undefined, { only: ['kind', 'items'] });
      await api.delete(`${configMaps(api)}?labelSelector=x%3D%3D%3D`);
      await api.get(selected, { only: ['items'] });
    },
    'deletes a collection with a limit': async (api) => {
      for (const name of ['a', 'b', 'c']) {
        await api.post(configMaps(api), { metadata: { name, labels: { x: 'y' } } }, { quiet: true });
      }
      await api.delete(`${configMaps(api)}?labelSelector=x%3Dy&limit=2`, undefined, {
        only: ['metadata.remainingItemCount', 'items'],
      });
      await api.get(`${configMaps(api)}?labelSelector=x%3Dy`, { only: ['items'] });
    },
    'generates a name from generateName': async (api) => {
      const created = await api.post(configMaps(api), { metadata: { generateName: 'made-' } }, { quiet: true });
      if (!/^made-[a-z0-9]{5}$/.test(created.body.metadata.name)) throw new Error(created.body.metadata.name);
      await api.post(configMaps(api), { metadata: { name: 'given', generateName: 'made-' } });
      await api.post(configMaps(api), { metadata: { generateName: 'Bad_' } }, { only: ['status', 'reason', 'code'] });
      await api.post(configMaps(api), { metadata: {} });
    },
    'truncates a long generateName': async (api) => {
      const created = await api.post(configMaps(api), { metadata: { generateName: 'x'.repeat(70) } }, { quiet: true });
      if (!/^x{58}[a-z0-9]{5}$/.test(created.body.metadata.name)) throw new Error(created.body.metadata.name);
    },
    'reads and updates the scale of a Deployment': async (api) => {
      await api.post(deployments(api), deployment, { quiet: true });
      await api.get(`${deployments(api)}/web/scale`);
      await api.put(`${deployments(api)}/web/scale`, {
        metadata: { name: 'web', namespace: api.namespace },
        spec: { replicas: 0 },
      });
      await api.patch(`${deployments(api)}/web`, { spec: { paused: true } }, { quiet: true });
      await api.put(`${deployments(api)}/web/scale`, {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'web', namespace: api.namespace },
        spec: { replicas: 1 },
      });
      await api.get(`${deployments(api)}/web`, {
        only: ['spec.replicas', 'metadata.generation'],
      });
    },
    'patches the scale of a Deployment': async (api) => {
      await api.post(deployments(api), { ...deployment, spec: { ...deployment.spec, paused: true } }, { quiet: true });
      const scale = `${deployments(api)}/web/scale`;
      await api.patch(scale, { spec: { replicas: 2 } }, { only: ['kind', 'spec'] });
      await api.patch(scale, [{ op: 'replace', path: '/spec/replicas', value: 3 }], {
        type: 'application/json-patch+json',
        only: ['kind', 'spec'],
      });
      await api.patch(
        scale,
        { spec: { replicas: 1 } },
        {
          type: 'application/strategic-merge-patch+json',
          only: ['kind', 'spec'],
        },
      );
      await api.patch(scale, { spec: { replicas: -1 } });
      await api.patch(scale, { spec: { replicas: 'many' } }, { only: ['code', 'reason', 'details.causes.*.field'] });
    },
    'rejects invalid scales': async (api) => {
      await api.post(deployments(api), deployment, { quiet: true });
      const scale = `${deployments(api)}/web/scale`;
      await api.get(`${deployments(api)}/none/scale`);
      await api.put(scale, { metadata: { name: 'other' }, spec: { replicas: 1 } });
      await api.put(scale, { metadata: { name: 'web', namespace: 'other' }, spec: { replicas: 1 } });
      await api.put(scale, { metadata: { name: 'web' }, spec: { replicas: -1 } });
      await api.put(scale, { metadata: { name: 'web', resourceVersion: '1' }, spec: { replicas: 1 } });
      await api.put(scale, {
        kind: 'Deployment',
        apiVersion: 'apps/v1',
        metadata: { name: 'web' },
        spec: { replicas: 1 },
      });
      await api.put(scale, { metadata: { name: 'web' }, spec: { replicas: 'one' } });
      await api.put(`${deployments(api)}/none/scale`, { metadata: { name: 'none' }, spec: { replicas: 1 } });
    },
  },
);
