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
    'a created object comes back with what the server gave it': async (api) => {
      await api.post(configMaps(api), {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a' },
        data: { k: 'v' },
      });
      await api.get(`${configMaps(api)}/a`);
    },
    'apiVersion and kind may be left out of a body': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a' }, data: { k: 'v' } });
    },
    'a name that is taken is refused': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.post(configMaps(api), { metadata: { name: 'a' } });
      await api.post(deployments(api), deployment, { quiet: true });
      await api.post(deployments(api), deployment);
    },
    'what only the server gives is dropped from a new object': async (api) => {
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
    'a new object must not have a resourceVersion': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', resourceVersion: '5' } });
      await api.post(configMaps(api), { metadata: { name: 'a', resourceVersion: '' } });
      await api.post(configMaps(api), { metadata: { name: 'b', resourceVersion: '0' } });
    },
    'a null creationTimestamp is no creationTimestamp': async (api) => {
      await api.post(configMaps(api), {
        metadata: { name: 'a', creationTimestamp: null, labels: null, annotations: {} },
      });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', creationTimestamp: null } });
    },
    'empty maps and lists of metadata are dropped': async (api) => {
      await api.post(configMaps(api), {
        metadata: { name: 'a', labels: {}, annotations: {}, finalizers: [], ownerReferences: [] },
        data: {},
      });
    },
    'an update cannot change what only the server gives': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', creationTimestamp: '2001-01-01T00:00:00Z' } });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', deletionTimestamp: '2001-01-01T00:00:00Z' } });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', deletionGracePeriodSeconds: 3 } });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', generation: 9, selfLink: '/x' } });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', uid: 'another' } });
    },
    'an update from an older version is refused': async (api) => {
      const created = await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a' }, data: { k: '1' } }, { quiet: true });
      await api.put(`${configMaps(api)}/a`, { ...created.body, data: { k: '2' } });
      await api.post(deployments(api), deployment, { quiet: true });
      await api.put(`${deployments(api)}/web`, { ...deployment, metadata: { name: 'web', resourceVersion: '1' } });
    },
    'an update without a version replaces whatever there is': async (api) => {
      await api.post(
        configMaps(api),
        { metadata: { name: 'a', labels: { x: 'y' } }, data: { k: '1' } },
        { quiet: true },
      );
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a' }, data: { k: '2' } });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', resourceVersion: '0' }, data: { k: '3' } });
    },
    'kinds that want a version refuse an update without one': async (api) => {
      const lease = `/apis/coordination.k8s.io/v1/namespaces/${api.namespace}/leases`;
      await api.post(lease, { metadata: { name: 'l' } }, { quiet: true });
      await api.put(`${lease}/l`, { metadata: { name: 'l' }, spec: { leaseDurationSeconds: 5 } });
    },
    'a resourceVersion that is no number is refused by an update': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', resourceVersion: 'x' } });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', resourceVersion: '-1' } });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', resourceVersion: '01' } });
    },
    'an update that changes nothing writes nothing': async (api) => {
      const created = await api.post(configMaps(api), { metadata: { name: 'a' }, data: { k: 'v' } }, { quiet: true });
      const updated = await api.put(`${configMaps(api)}/a`, created.body, { quiet: true });
      const patched = await api.patch(`${configMaps(api)}/a`, { data: { k: 'v' } }, { quiet: true });
      const version = created.body.metadata.resourceVersion;
      if (updated.body.metadata.resourceVersion !== version) throw new Error('the update wrote');
      if (patched.body.metadata.resourceVersion !== version) throw new Error('the patch wrote');
    },
    'an update of what is not there is refused': async (api) => {
      await api.put(`${configMaps(api)}/none`, { metadata: { name: 'none' } });
      await api.put(`${deployments(api)}/none`, { ...deployment, metadata: { name: 'none' } });
    },
    'a lease can be created by an update': async (api) => {
      const lease = `/apis/coordination.k8s.io/v1/namespaces/${api.namespace}/leases`;
      await api.put(`${lease}/l`, { metadata: { name: 'l' }, spec: { leaseDurationSeconds: 5 } });
      await api.put(`${lease}/m`, { metadata: { name: 'm', resourceVersion: '5' } });
      await api.put(`${lease}/n`, { metadata: { name: 'n', uid: 'mine' } });
    },
    'a spec that changes raises the generation, metadata and status do not': async (api) => {
      await api.post(deployments(api), deployment, { only: ['metadata.generation'] });
      await api.patch(
        `${deployments(api)}/web`,
        { metadata: { labels: { a: 'b' } } },
        { only: ['metadata.generation'] },
      );
      await api.patch(`${deployments(api)}/web`, { spec: { paused: true } }, { only: ['metadata.generation'] });
    },
    'a status update leaves the spec alone and keeps a little metadata': async (api) => {
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
    'a new object has no status but the one that its kind begins with': async (api) => {
      await api.post(pods(api), { ...pod('p'), status: { phase: 'Running', message: 'm' } }, { only: ['status'] });
    },
    'deleting an object answers with a Status': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`);
      await api.get(`${configMaps(api)}/a`);
      await api.delete(`${configMaps(api)}/a`);
    },
    'deleting an object of a group names the group': async (api) => {
      await api.post(deployments(api), deployment, { quiet: true });
      await api.delete(`${deployments(api)}/web`);
      await api.get(`${deployments(api)}/none`);
    },
    'deleting an object with finalizers marks it': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', finalizers: ['example.com/f'] } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`);
      await api.delete(`${configMaps(api)}/a`);
      await api.patch(`${configMaps(api)}/a`, { metadata: { finalizers: ['example.com/f', 'example.com/g'] } });
      await api.patch(`${configMaps(api)}/a`, { metadata: { finalizers: ['example.com/g'] } });
      await api.patch(`${configMaps(api)}/a`, { data: { still: 'writable' } });
      await api.patch(`${configMaps(api)}/a`, { metadata: { finalizers: null } });
      await api.get(`${configMaps(api)}/a`);
    },
    'a deletion under way cannot be taken back': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', finalizers: ['example.com/f'] } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`, undefined, { quiet: true });
      await api.patch(`${configMaps(api)}/a`, { metadata: { deletionTimestamp: null } });
      await api.patch(`${configMaps(api)}/a`, { metadata: { deletionGracePeriodSeconds: null } });
      await api.patch(`${configMaps(api)}/a`, { metadata: { deletionGracePeriodSeconds: 9 } });
      await api.patch(`${configMaps(api)}/a`, { metadata: { finalizers: null } }, { quiet: true });
    },
    'a deployment under deletion counts it in its generation': async (api) => {
      const held = { ...deployment, metadata: { name: 'web', finalizers: ['example.com/f'] } };
      await api.post(deployments(api), held, { only: ['metadata.generation'] });
      await api.delete(`${deployments(api)}/web`, undefined, { only: ['metadata.generation', 'metadata.finalizers'] });
      await api.patch(`${deployments(api)}/web`, { metadata: { finalizers: null } }, { only: ['metadata.generation'] });
    },
    'a deletion holds to its preconditions': async (api) => {
      const created = await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      const { uid, resourceVersion } = created.body.metadata;
      await api.delete(`${configMaps(api)}/a`, { preconditions: { uid: '00000000-0000-0000-0000-000000000000' } });
      await api.delete(`${configMaps(api)}/a`, { preconditions: { resourceVersion: '1' } });
      await api.delete(`${configMaps(api)}/a`, { preconditions: { uid, resourceVersion: '1' } });
      await api.delete(`${configMaps(api)}/a`, { preconditions: { uid, resourceVersion } });
    },
    'a foreground deletion waits for the finalizer': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', finalizers: ['example.com/f'] } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`, { propagationPolicy: 'Foreground' }, { only: ['metadata.finalizers'] });
      await api.patch(`${configMaps(api)}/a`, { metadata: { finalizers: null } }, { quiet: true });
    },
    'an orphaning deletion waits for the finalizer': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', finalizers: ['example.com/f'] } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a?propagationPolicy=Orphan`, undefined, { only: ['metadata.finalizers'] });
      await api.patch(`${configMaps(api)}/a`, { metadata: { finalizers: null } }, { quiet: true });
    },
    'orphanDependents is the older form of a propagation policy': async (api) => {
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
    'propagation policies that cannot be are refused': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`, { propagationPolicy: 'Sideways' });
      await api.delete(`${configMaps(api)}/a`, { propagationPolicy: 'Orphan', orphanDependents: true });
      await api.delete(`${configMaps(api)}/a?propagationPolicy=Sideways`);
      await api.delete(`${configMaps(api)}/a`, { propagationPolicy: '' });
    },
    'delete options that cannot be are refused': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`, { dryRun: ['Some'] });
      await api.delete(`${configMaps(api)}/a?dryRun=Some`);
      await api.delete(`${configMaps(api)}/a`, { gracePeriodSeconds: 'soon' });
      await api.delete(`${configMaps(api)}/a?gracePeriodSeconds=soon`);
      await api.delete(`${configMaps(api)}/a`, { kind: 'ConfigMap', apiVersion: 'v1' });
      await api.delete(`${configMaps(api)}/a`, { kind: 'DeleteOptions', apiVersion: 'v9' });
      await api.delete(`${configMaps(api)}/a`, { kind: 'DeleteOptions', apiVersion: 'v1', unknown: 1 });
      await api.get(`${configMaps(api)}/a`);
    },
    'delete options of another group and version are understood': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`, { kind: 'DeleteOptions', apiVersion: 'apps/v1' });
      await api.post(configMaps(api), { metadata: { name: 'b' } }, { quiet: true });
      await api.delete(`${configMaps(api)}/b`, { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' });
      await api.post(configMaps(api), { metadata: { name: 'c' } }, { quiet: true });
      await api.delete(`${configMaps(api)}/c`, { kind: 'DeleteOptions' });
    },
    'a negative grace period means now': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { quiet: true });
      await api.delete(`${configMaps(api)}/a`, { gracePeriodSeconds: -5 });
      await api.post(pods(api), pod('p'), { quiet: true });
      await api.delete(`${pods(api)}/p`, { gracePeriodSeconds: -1 }, { only: ['metadata.deletionGracePeriodSeconds'] });
    },
    'a pod that nobody runs goes at once': async (api) => {
      await api.post(pods(api), pod('p'), { quiet: true });
      await api.delete(`${pods(api)}/p`, undefined, {
        only: ['kind', 'metadata.deletionGracePeriodSeconds', 'status'],
      });
      await api.get(`${pods(api)}/p`);
    },
    'a collection is deleted by label': async (api) => {
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
    'a collection is deleted by field, and with finalizers marked': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', finalizers: ['example.com/f'] } }, { quiet: true });
      await api.delete(`${configMaps(api)}?fieldSelector=metadata.name%3Da`, undefined, { only: ['kind', 'items'] });
      await api.get(`${configMaps(api)}/a`, { only: ['metadata'] });
      await api.patch(`${configMaps(api)}/a`, { metadata: { finalizers: null } }, { quiet: true });
    },
    'a collection takes the options of a deletion': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', labels: { x: 'y' } } }, { quiet: true });
      const selected = `${configMaps(api)}?labelSelector=x%3Dy`;
      await api.delete(selected, { propagationPolicy: 'Sideways' });
      await api.delete(selected, { preconditions: { uid: '00000000-0000-0000-0000-000000000000' } });
      await api.delete(`${selected}&dryRun=All`, undefined, { only: ['kind', 'items'] });
      await api.delete(`${configMaps(api)}?labelSelector=x%3D%3D%3D`);
      await api.get(selected, { only: ['items'] });
    },
    'a collection is deleted page by page': async (api) => {
      for (const name of ['a', 'b', 'c']) {
        await api.post(configMaps(api), { metadata: { name, labels: { x: 'y' } } }, { quiet: true });
      }
      await api.delete(`${configMaps(api)}?labelSelector=x%3Dy&limit=2`, undefined, {
        only: ['metadata.remainingItemCount', 'items'],
      });
      await api.get(`${configMaps(api)}?labelSelector=x%3Dy`, { only: ['items'] });
    },
    'generateName makes a name': async (api) => {
      const created = await api.post(configMaps(api), { metadata: { generateName: 'made-' } }, { quiet: true });
      if (!/^made-[a-z0-9]{5}$/.test(created.body.metadata.name)) throw new Error(created.body.metadata.name);
      await api.post(configMaps(api), { metadata: { name: 'given', generateName: 'made-' } });
      await api.post(configMaps(api), { metadata: { generateName: 'Bad_' } }, { only: ['status', 'reason', 'code'] });
      await api.post(configMaps(api), { metadata: {} });
    },
    'a long generateName is cut': async (api) => {
      const created = await api.post(configMaps(api), { metadata: { generateName: 'x'.repeat(70) } }, { quiet: true });
      if (!/^x{58}[a-z0-9]{5}$/.test(created.body.metadata.name)) throw new Error(created.body.metadata.name);
    },
    'the scale of a deployment is read and written': async (api) => {
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
    'the scale of a deployment is patched': async (api) => {
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
    'scales that cannot be are refused': async (api) => {
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
