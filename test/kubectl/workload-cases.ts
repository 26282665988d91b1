import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kubectl } from './kubectl.js';
import type { KubectlCases } from './kubectl-case.js';
import { deployment, settings } from './manifests.js';

const rolledOut = (kubectl: Kubectl, name: string): Promise<string> =>
  kubectl.ok(`rollout status deployment/${name} --timeout=60s`);

/** Commands for workloads. */
export const workloadCases: KubectlCases = {
  'rollout status waits for a Deployment, and get lists its Pods, ReplicaSet, and Services': async ({ kubectl }) => {
    assert.match(await kubectl.ok('apply -f -', deployment('web', { replicas: 2 })), /deployment\.apps\/web created/);
    assert.match(await rolledOut(kubectl, 'web'), /successfully rolled out/);
    await kubectl.ok('expose deployment/web --port=80');
    const listed = await kubectl.ok('get pods,rs,deploy,svc');
    assert.match(listed, /deployment\.apps\/web +2\/2 +2 +2/);
    assert.equal(listed.match(/pod\/web-\S+ +1\/1 +Running/g)?.length, 2);
    assert.match(listed, /replicaset\.apps\/web-\S+ +2 +2 +2/);
    assert.match(listed, /service\/web +ClusterIP/);
    assert.match(await kubectl.ok('get all'), /deployment\.apps\/web/);
  },
  'scale changes the replicas, and is rejected if --current-replicas does not match': async ({ kubectl }) => {
    await kubectl.ok('create -f -', deployment('web', { replicas: 0 }));
    assert.match(
      await kubectl.refused('scale deployment/web --current-replicas=3 --replicas=1'),
      /Expected replicas to be 3, was 0/,
    );
    await kubectl.ok('scale deployment/web --current-replicas=0 --replicas=1');
    assert.equal(await kubectl.ok("get deployment web -o 'jsonpath={.spec.replicas}'"), '1');
    assert.equal(await kubectl.ok("get deployment web --subresource=scale -o 'jsonpath={.spec.replicas}'"), '1');
  },
  'wait waits for a condition': async ({ kubectl }) => {
    await kubectl.ok('apply -f -', deployment('waited'));
    assert.match(await kubectl.ok('wait --for=condition=Available deployment/waited --timeout=60s'), /condition met/);
  },
  'rollout history, undo, and status work for a Deployment': async ({ kubectl }) => {
    await kubectl.ok('create -f -', deployment('web'));
    await rolledOut(kubectl, 'web');
    assert.match(await kubectl.ok('set image deployment/web main=nginx:1.28'), /image updated/);
    await rolledOut(kubectl, 'web');
    assert.match(await kubectl.ok('rollout history deployment/web'), /REVISION.*\n1 .*\n2 /);
    assert.match(await kubectl.ok('rollout history deployment/web --revision=1'), /nginx:1\.27/);
    assert.match(await kubectl.ok('rollout undo deployment/web'), /rolled back/);
    await rolledOut(kubectl, 'web');
    assert.equal(
      await kubectl.ok("get deployment web -o 'jsonpath={.spec.template.spec.containers[0].image}'"),
      'nginx:1.27',
    );
    assert.match(
      await kubectl.refused('rollout undo deployment/web --to-revision=9'),
      /unable to find specified revision 9/,
    );
  },
  'rollout restart, pause, and resume work for a Deployment': async ({ kubectl }) => {
    await kubectl.ok('create -f -', deployment('web', { replicas: 0 }));
    assert.match(await kubectl.ok('rollout restart deployment/web'), /restarted/);
    assert.match(
      await kubectl.ok("get deployment web -o 'jsonpath={.spec.template.metadata.annotations}'"),
      /restartedAt/,
    );
    assert.match(await kubectl.ok('rollout pause deployment/web'), /paused/);
    assert.match(await kubectl.refused('rollout restart deployment/web'), /can't restart paused deployment/);
    assert.match(await kubectl.ok('rollout resume deployment/web'), /resumed/);
  },
  'autoscale creates a HorizontalPodAutoscaler': async ({ kubectl }) => {
    await kubectl.ok('create -f -', deployment('web', { replicas: 0 }));
    assert.match(await kubectl.ok('autoscale deployment web --min=1 --max=3'), /autoscaled/);
    assert.equal(
      await kubectl.ok("get hpa web -o 'jsonpath={.spec.minReplicas} {.spec.maxReplicas} {.spec.scaleTargetRef.kind}'"),
      '1 3 Deployment',
    );
    assert.match(await kubectl.ok('get hpa'), /web +Deployment\/web/);
  },
  'set changes environment variables, resources, and the service account': async ({ kubectl }) => {
    await kubectl.ok('create -f -', deployment('web', { replicas: 0 }));
    await kubectl.ok('set env deployment/web COLOUR=red');
    await kubectl.ok('set resources deployment/web --limits=cpu=200m,memory=64Mi');
    await kubectl.ok('set serviceaccount deployment/web builder');
    const spec = '{.spec.template.spec}';
    const { containers, serviceAccountName } = JSON.parse(await kubectl.ok(`get deployment web -o 'jsonpath=${spec}'`));
    assert.deepEqual(containers[0].env, [{ name: 'COLOUR', value: 'red' }]);
    assert.deepEqual(containers[0].resources, { limits: { cpu: '200m', memory: '64Mi' } });
    assert.equal(serviceAccountName, 'builder');
    assert.match(await kubectl.ok('set env deployment/web --list'), /COLOUR=red/);
  },
  'describe prints a Deployment and its Pods': async ({ kubectl }) => {
    await kubectl.ok('create -f -', deployment('web'));
    await rolledOut(kubectl, 'web');
    assert.match(
      await kubectl.ok('describe deployment web'),
      /Replicas: +1 desired \| 1 updated \| 1 total \| 1 available/,
    );
    assert.match(await kubectl.ok('describe pods'), /Status: +Running/);
  },
  'delete --cascade=background deletes dependents': async ({ kubectl }) => {
    await kubectl.ok('create -f -', deployment('web'));
    await kubectl.ok('wait --for=create rs -l app=web --timeout=30s');
    await kubectl.ok('delete deployment web --cascade=background');
    await kubectl.ok('wait --for=delete rs -l app=web --timeout=30s');
    assert.equal(await kubectl.ok('get rs -l app=web -o name'), '');
  },
  'delete --cascade=foreground waits for dependents': async ({ kubectl }) => {
    await kubectl.ok('create -f -', deployment('web'));
    await kubectl.ok('wait --for=create rs -l app=web --timeout=30s');
    await kubectl.ok('delete deployment web --cascade=foreground --timeout=60s');
    assert.equal(await kubectl.ok('get rs,pods -l app=web -o name'), '');
  },
  'delete --cascade=orphan keeps dependents': async ({ kubectl }) => {
    await kubectl.ok('create -f -', deployment('web', { replicas: 0 }));
    await kubectl.ok('wait --for=create rs -l app=web --timeout=30s');
    await kubectl.ok('delete deployment web --cascade=orphan');
    assert.match(await kubectl.ok('get rs -l app=web -o name'), /replicaset\.apps\/web-/);
    assert.equal(await kubectl.ok("get rs -l app=web -o 'jsonpath={.items[0].metadata.ownerReferences}'"), '');
  },
  'delete --force --grace-period=0 immediately deletes a running Pod': async ({ kubectl }) => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'a', image: 'nginx' }] },
    };
    await kubectl.ok('create -f -', pod);
    await kubectl.ok('wait --for=condition=Ready pod/a --timeout=60s');
    const { err, out } = await kubectl.run('delete pod a --force --grace-period=0');
    assert.match(err, /Immediate deletion does not wait for confirmation/);
    assert.match(out, /force deleted/);
    assert.match(await kubectl.refused('get pod a'), /NotFound/);
  },
  'run creates a Pod': async ({ kubectl }) => {
    assert.match(await kubectl.ok('run a --image=nginx --restart=Never --labels=x=y'), /pod\/a created/);
    assert.equal(await kubectl.ok("get pods -l x=y -o 'jsonpath={.items[*].metadata.name}'"), 'a');
  },
  'logs, exec, and cp fail for an absent Pod, and exec fails for a Pod without a kubelet': async ({ kubectl }) => {
    const spec = { schedulerName: 'none', containers: [{ name: 'a', image: 'nginx' }] };
    await kubectl.ok('create -f -', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec });
    assert.match(await kubectl.refused('logs none'), /NotFound.*pods "none" not found/);
    assert.match(await kubectl.refused('exec none -- ls'), /NotFound.*pods "none" not found/);
    assert.match(await kubectl.refused('cp /etc/hostname none:/x'), /NotFound|not found/);
    // The embedded server has no kubelet and does not serve this subresource; a real server reports that the node is missing.
    assert.notEqual(await kubectl.refused('exec a -- ls'), '');
  },
  'top fails without a metrics server': async ({ kubectl }) => {
    assert.match(await kubectl.refused('top pods'), /Metrics API not available/);
    assert.match(await kubectl.refused('top nodes'), /Metrics API not available/);
  },
  'cordon, drain, uncordon, and taint change a node': async ({ kubectl }) => {
    const node = `node-${kubectl.namespace}`;
    await kubectl.ok('create -f -', { apiVersion: 'v1', kind: 'Node', metadata: { name: node } });
    try {
      assert.match(await kubectl.ok(`cordon ${node}`), /cordoned/);
      assert.match(await kubectl.ok(`get node ${node}`), /SchedulingDisabled/);
      assert.match(await kubectl.ok(`drain ${node} --ignore-daemonsets`), /drained/);
      assert.match(await kubectl.ok(`uncordon ${node}`), /uncordoned/);
      assert.match(await kubectl.ok(`taint node ${node} a=b:NoSchedule`), /tainted/);
    } finally {
      await kubectl.ok(`delete node ${node}`);
    }
  },
  'create job --from creates a Job from a CronJob': async ({ kubectl }) => {
    await kubectl.ok("create cronjob tick --image=busybox --schedule='0 0 1 1 *'");
    assert.match(await kubectl.ok('create job once --from=cronjob/tick'), /job\.batch\/once created/);
    assert.equal(await kubectl.ok("get job once -o 'jsonpath={.metadata.ownerReferences[0].kind}'"), 'CronJob');
    assert.match(await kubectl.ok('get cronjob'), /tick +0 0 1 1 \*/);
  },
  'create configmap, secret, quota, service, ingress, and poddisruptionbudget create objects': async ({ kubectl }) => {
    await kubectl.ok('create configmap a --from-literal=x=1');
    await kubectl.ok('create secret generic b --from-literal=x=1');
    await kubectl.ok('create secret docker-registry c --docker-username=u --docker-password=p --docker-server=s');
    await kubectl.ok('create quota q --hard=pods=5');
    await kubectl.ok('create service clusterip s --tcp=80:8080');
    await kubectl.ok('create ingress i --rule=example.com/=s:80');
    await kubectl.ok('create poddisruptionbudget p --selector=app=x --min-available=1');
    const made = await kubectl.ok('get configmap/a secret/b secret/c quota/q service/s ingress/i pdb/p -o name');
    assert.equal(made.trim().split('\n').length, 7);
    assert.equal(await kubectl.ok("get secret c -o 'jsonpath={.type}'"), 'kubernetes.io/dockerconfigjson');
  },
  'create deployment creates a Deployment': async ({ kubectl }) => {
    assert.match(await kubectl.ok('create deployment web --image=nginx --replicas=0'), /deployment\.apps\/web created/);
    assert.match(
      await kubectl.refused('create deployment web --image=nginx'),
      /deployments\.apps "web" already exists/,
    );
    const yaml = await kubectl.ok('create deployment two --image=nginx --replicas=0 --dry-run=client -o yaml');
    assert.match(await kubectl.ok('create -f -', yaml), /deployment\.apps\/two created/);
  },
  'create namespace and create priorityclass create objects': async ({ kubectl }) => {
    const name = `${kubectl.namespace}-more`;
    assert.match(await kubectl.ok(`create namespace ${name}`), /created/);
    assert.match(await kubectl.ok(`create priorityclass ${name} --value=7`), /created/);
    assert.match(await kubectl.ok(`get priorityclass ${name}`), /\b7\b/);
    await kubectl.ok(`delete namespace/${name} priorityclass/${name}`);
  },
  'apply -k applies a kustomization': async ({ kubectl, folder }) => {
    await writeFile(join(folder, 'a.json'), JSON.stringify(settings('a')));
    await writeFile(join(folder, 'kustomization.yaml'), 'resources: [a.json]\nnamePrefix: pre-\n');
    assert.match(await kubectl.ok(`apply -k ${folder}`), /configmap\/pre-a created/);
  },
};
