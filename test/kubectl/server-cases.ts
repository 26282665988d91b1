import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import type { KubectlCases } from './kubectl-case.js';
import { machine } from './manifests.js';

/** Commands about the server itself: its resources, the current user, permissions. */
export const serverCases: KubectlCases = {
  'api-resources lists built-in and custom kinds with their short names': async ({ kubectl }) => {
    const listed = await kubectl.ok('api-resources');
    assert.match(listed, /^deployments +deploy +apps\/v1 +true +Deployment$/m);
    assert.match(listed, /^virtualmachines +vm +cloud\.waibizi\.com\/v1 +true +VirtualMachine$/m);
    const narrow = await kubectl.ok('api-resources --api-group=apps --namespaced=true --verbs=list,get -o name');
    assert.match(narrow, /^deployments\.apps$/m);
  },
  'api-versions lists groups and versions': async ({ kubectl }) => {
    const listed = await kubectl.ok('api-versions');
    for (const version of ['v1', 'apps/v1', 'batch/v1', 'cloud.waibizi.com/v1']) {
      assert.ok(listed.split('\n').includes(version), version);
    }
  },
  'version and cluster-info print the version and the address of the server': async ({ kubectl }) => {
    const { serverVersion } = JSON.parse(await kubectl.ok('version -o json'));
    assert.match(serverVersion.gitVersion, /^v1\.36\./);
    assert.match(await kubectl.ok('cluster-info'), /control plane.* is running at .*https:\/\/127\.0\.0\.1:/);
  },
  'explain prints the fields of a built-in kind': async ({ kubectl }) => {
    const explained = await kubectl.ok('explain deployment.spec');
    assert.match(explained, /^GROUP: +apps$/m);
    assert.match(explained, /^KIND: +Deployment$/m);
    assert.match(explained, /^ +replicas\s+<integer>/m);
    assert.match(explained, /^ +selector\s+<LabelSelector> -required-/m);
  },
  'explain prints the fields of a custom kind': async ({ kubectl }) => {
    const explained = await kubectl.ok('explain vm.spec');
    assert.match(explained, /^GROUP: +cloud\.waibizi\.com$/m);
    assert.match(explained, /^VERSION: +v1$/m);
    assert.match(explained, /^ +image\s+<string> -required-/m);
    assert.match(explained, /^ +memory\s+<integer>/m);
    assert.match(await kubectl.ok('explain vm.spec.memory'), /^FIELD: memory <integer>/m);
  },
  'explain --recursive prints nested fields': async ({ kubectl }) => {
    const explained = await kubectl.ok('explain pod --recursive');
    assert.match(explained, /containers\s+<\[\]Container> -required-/);
    assert.match(explained, /containerPort\s+<integer> -required-/);
    assert.match(await kubectl.ok('explain vm --recursive'), /phase\s+<string>/);
  },
  'explain supports --api-version, and reports absent fields': async ({ kubectl }) => {
    assert.match(await kubectl.ok('explain hpa --api-version=autoscaling/v2'), /^VERSION: +v2$/m);
    assert.match(await kubectl.refused('explain vm.spec.wheels'), /field "wheels" does not exist/);
    assert.match(await kubectl.refused('explain gadgets'), /the server doesn't have a resource type "gadgets"/);
  },
  'explain --output=plaintext-openapiv2 uses OpenAPI v2': async ({ kubectl }) => {
    const explained = await kubectl.ok('explain configmap --output=plaintext-openapiv2');
    assert.match(explained, /^KIND: +ConfigMap$/m);
    assert.match(explained, /^ +data\s+<map\[string\]string>/m);
    assert.match(await kubectl.ok('explain vm.spec --output=plaintext-openapiv2'), /^ +image\s+<string>/m);
  },
  'auth whoami prints the user': async ({ kubectl }) => {
    assert.match(await kubectl.ok('auth whoami -o json'), /system:masters/);
  },
  'auth can-i returns the permissions of the administrator and of another user': async ({ kubectl }) => {
    assert.equal(await kubectl.ok('auth can-i create deployments'), 'yes\n');
    const { code, out } = await kubectl.run('auth can-i create deployments --as=nobody');
    assert.equal(code, 1);
    assert.equal(out, 'no\n');
  },
  'auth can-i --list prints the rules': async ({ kubectl }) => {
    assert.match(await kubectl.ok('auth can-i --list'), /\*\.\* +\[\] +\[\] +\[\*\]/);
    const nobody = await kubectl.ok('auth can-i --list --as=nobody --as-group=system:authenticated');
    assert.match(nobody, /selfsubjectreviews\.authentication\.k8s\.io +\[\] +\[\] +\[create\]/);
    assert.match(nobody, /\[\/healthz\]/);
  },
  'create role and create rolebinding grant permissions': async ({ kubectl }) => {
    await kubectl.ok('create serviceaccount bob');
    await kubectl.ok('create role reader --verb=get,list --resource=configmaps');
    await kubectl.ok(`create rolebinding readers --role=reader --serviceaccount=${kubectl.namespace}:bob`);
    const bob = `--as=system:serviceaccount:${kubectl.namespace}:bob`;
    assert.equal(await kubectl.ok(`auth can-i list configmaps ${bob}`), 'yes\n');
    assert.equal((await kubectl.run(`auth can-i list secrets ${bob}`)).out, 'no\n');
    assert.match(await kubectl.ok(`get configmaps ${bob} -o name`), /^configmap|^$/);
    assert.match(
      await kubectl.refused(`get secrets ${bob}`),
      /Forbidden.*User "system:serviceaccount:\S+:bob" cannot list resource "secrets" in API group "" in the namespace/,
    );
  },
  'auth reconcile updates roles': async ({ kubectl }) => {
    const role = (verbs: readonly string[]): object => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'reader', namespace: kubectl.namespace },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs }],
    });
    await kubectl.ok('auth reconcile -f -', role(['get']));
    await kubectl.ok('auth reconcile -f -', role(['list']));
    assert.match(await kubectl.ok("get role reader -o 'jsonpath={.rules[*].verbs}'"), /get.*list/);
  },
  'create token returns a token of the service account': async ({ kubectl }) => {
    await kubectl.ok('create serviceaccount bob');
    const token = (await kubectl.ok('create token bob --duration=10m')).trim();
    assert.match(token, /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
    const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
    assert.equal(sub, `system:serviceaccount:${kubectl.namespace}:bob`);
    assert.match(await kubectl.refused('create token none'), /serviceaccounts "none" not found/);
  },
  'certificate approve and deny set the condition of a CertificateSigningRequest': async ({ kubectl }) => {
    const name = `csr-${kubectl.namespace}`;
    const request = await certificateRequest();
    const csr = (suffix: string): object => ({
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: `${name}${suffix}` },
      spec: { request, signerName: 'example.com/none', usages: ['client auth'] },
    });
    await kubectl.ok('create -f -', csr(''));
    await kubectl.ok('create -f -', csr('-no'));
    try {
      assert.match(await kubectl.ok(`certificate approve ${name}`), /approved/);
      assert.match(await kubectl.ok(`certificate deny ${name}-no`), /denied/);
      assert.match(await kubectl.ok(`get csr ${name}`), /Approved/);
      assert.match(await kubectl.ok(`get csr ${name}-no`), /Denied/);
    } finally {
      await kubectl.ok(`delete csr ${name} ${name}-no`);
    }
  },
  'config prints the current context and the kubeconfig': async ({ kubectl }) => {
    assert.notEqual((await kubectl.ok('config current-context')).trim(), '');
    assert.match(await kubectl.ok('config view --minify'), /server: https:\/\/127\.0\.0\.1:/);
  },
  'get returns a created custom object with its defaults': async ({ kubectl }) => {
    await kubectl.ok('create -f -', machine('a', { memory: 2048 }));
    const { spec } = JSON.parse(await kubectl.ok('get vm a -o json'));
    assert.equal(spec.memory, 2048);
    assert.equal(spec.disk, 20);
  },
};

/** Returns a certificate signing request as base64-encoded PEM. */
async function certificateRequest(): Promise<string> {
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const request = await Pkcs10CertificateRequestGenerator.create({ name: 'CN=bob', keys, signingAlgorithm });
  return Buffer.from(request.toString('pem')).toString('base64');
}
