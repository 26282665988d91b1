import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment, DeploymentSpec } from '@kubewright/api/apps/v1';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { parseAllDocuments, parse } from 'yaml';
import { installManifest } from './install-manifest.js';
import { GENERATED, manifestText } from './manifest-text.js';
import type { ManifestsInput } from './manifests-input.js';
import { isUserFile, manifestsOf } from './manifests-of.js';

const input: ManifestsInput = {
  settings: {
    name: 'web-operator',
    image: 'web-operator:latest',
    namespace: 'web-operator-system',
    namespaced: false,
  },
  crds: [],
  operator: {
    leaderElection: { name: 'web-operator', lease: true, coordinated: false },
    metrics: { port: 8443, secure: true, protect: true },
    health: { port: 8081, livenessPath: '/healthz', readinessPath: '/readyz' },
    gracePeriodMs: 30_000,
  },
  permissions: { cluster: [], namespaced: [], own: [] },
};
const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'websites.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Website', plural: 'websites', singular: 'website' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A site.\nIt has several lines.',
            properties: {
              spec: {
                type: 'object',
                properties: { on: { type: 'string', enum: ['yes', 'no', '012', '2026-01-01'] } },
                required: ['on'],
              },
            },
          },
        },
      },
    ],
  },
} as unknown as CustomResourceDefinition;

/** Returns the manifests and the Deployment of an operator. */
function deploymentOf(
  operator: Partial<ManifestsInput['operator']>,
  settings: Partial<ManifestsInput['settings']> = {},
) {
  const files = manifestsOf({
    ...input,
    settings: { ...input.settings, ...settings },
    operator: { ...input.operator, ...operator },
  });
  const documents = parseAllDocuments(files.get('config/manager/manager.yaml') ?? '').map(
    (each) => each.toJS() as object,
  );
  const deployment = documents.find((each) => (each as Deployment).kind === 'Deployment') as Deployment;
  return { files, documents, spec: deployment.spec };
}
const containerOf = (spec: DeploymentSpec) => spec.template.spec?.containers[0] ?? assert.fail('there is no container');

test('every generated file starts with the header, except files that belong to the user', () => {
  const files = manifestsOf({ ...input, crds: [crd] });
  assert.deepEqual(
    [...files].filter(([, text]) => !text.startsWith(`${GENERATED}\n`)).map(([path]) => path),
    ['config/default/kustomization.yaml', 'config/samples/example.com_v1_website.yaml'],
  );
  for (const [path, text] of files) {
    assert.equal(isUserFile(path), !text.startsWith(GENERATED), path);
    assert.match(text, /[^\n]\n$/, path);
  }
});

test('equal inputs generate identical files', () => {
  assert.deepEqual(
    [...manifestsOf({ ...input, crds: [crd] })],
    [...manifestsOf(structuredClone({ ...input, crds: [crd] }))],
  );
});

test('config/default/kustomization.yaml refers only to existing folders, even without metrics and health checks', () => {
  const files = manifestsOf({ ...input, operator: { metrics: false, health: false, gracePeriodMs: false } });
  const { resources } = parse(files.get('config/default/kustomization.yaml') ?? '') as { resources: string[] };
  for (const folder of resources)
    assert.ok(files.has(`config/${folder.replace('../', '')}/kustomization.yaml`), folder);
});

test('the file names of samples omit the domain of the project', () => {
  const paths = (domain: string) =>
    [...manifestsOf({ ...input, settings: { ...input.settings, domain }, crds: [crd] }).keys()].filter((path) =>
      path.includes('samples'),
    );
  assert.deepEqual(paths('com'), ['config/samples/example_v1_website.yaml']);
  assert.deepEqual(paths('example.com'), ['config/samples/v1_website.yaml']);
  assert.deepEqual(paths('other.com'), ['config/samples/example.com_v1_website.yaml']);
});

test('a generated sample that the API server would reject starts with a comment that lists the problems', () => {
  const [version] = crd.spec.versions;
  const schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', 'x-kubernetes-validations': [{ rule: 'false', message: 'never' }] },
    },
  };
  const versions = [{ ...version, schema: { openAPIV3Schema: schema } }];
  const refused = { ...crd, spec: { ...crd.spec, versions } } as unknown as CustomResourceDefinition;
  const text = manifestsOf({ ...input, crds: [refused] }).get('config/samples/example.com_v1_website.yaml') ?? '';
  assert.match(text, /^# The API server rejects this sample, .*\n# - spec: Invalid value: never\napiVersion: /);
});

test('the grace period of the Pod is longer than the grace period of the manager', () => {
  const seconds = (gracePeriodMs: number | false) =>
    deploymentOf({ gracePeriodMs }).spec.template.spec?.terminationGracePeriodSeconds;
  assert.deepEqual([30_000, 1500, 0, false as const].map(seconds), [35, 7, 5, 3600]);
});

test('the Deployment uses the strategy Recreate without leader election', () => {
  assert.equal(deploymentOf({}).spec.strategy, undefined);
  const { leaderElection: _, ...operator } = input.operator;
  const files = manifestsOf({ ...input, operator });
  assert.match(files.get('config/manager/manager.yaml') ?? '', /\n {2}strategy:\n {4}type: Recreate\n/);
});

test('probes, ports, the Service, the ServiceMonitor, and the network policy use the ports and paths of the operator', () => {
  const { spec, files } = deploymentOf({
    metrics: { port: 9090, secure: false, protect: false },
    health: { port: 9091, livenessPath: '/alive', readinessPath: '/ready' },
  });
  const { ports, livenessProbe, readinessProbe } = containerOf(spec);
  assert.deepEqual(
    ports?.map(({ name, containerPort }) => `${name} ${containerPort}`),
    ['health 9091', 'metrics 9090'],
  );
  assert.deepEqual(livenessProbe?.httpGet, { path: '/alive', port: 'health' });
  assert.deepEqual(readinessProbe?.httpGet, { path: '/ready', port: 'health' });
  assert.match(
    files.get('config/manager/metrics_service.yaml') ?? '',
    /name: http\n {4}port: 9090\n {4}targetPort: metrics/,
  );
  assert.match(files.get('config/network-policy/allow-metrics-traffic.yaml') ?? '', /port: 9090/);
  const monitor = files.get('config/prometheus/monitor.yaml') ?? '';
  assert.match(monitor, /port: http\n {4}path: \/metrics\n {4}scheme: http\n$/);
  assert.equal(files.has('config/rbac/metrics_reader_role.yaml'), false);
});

test('an operator without metrics and health checks has no ports and no probes, and denies all ingress traffic', () => {
  const { spec, files } = deploymentOf({ metrics: false, health: false });
  const { ports, livenessProbe, readinessProbe } = containerOf(spec);
  assert.deepEqual([ports, livenessProbe, readinessProbe], [undefined, undefined, undefined]);
  assert.deepEqual(
    [...files.keys()].filter((path) => /metrics_service|prometheus/.test(path)),
    [],
  );
  assert.match(files.get('config/network-policy/allow-metrics-traffic.yaml') ?? '', /policyTypes:\n {2}- Ingress\n$/);
});

test('the Deployment of a namespaced operator sets KUBEWRIGHT_NAMESPACES', () => {
  const names = (namespaced: boolean) =>
    containerOf(deploymentOf({}, { namespaced }).spec).env?.map(({ name }) => name);
  assert.equal(names(false), undefined);
  assert.deepEqual(names(true), ['KUBEWRIGHT_NAMESPACES']);
});

test('the manifests do not contain the Namespace default', () => {
  const kinds = (namespace: string) =>
    deploymentOf({}, { namespace }).documents.map((each) => (each as Deployment).kind as string);
  assert.deepEqual(kinds('default'), ['Deployment']);
  assert.deepEqual(kinds('web'), ['Namespace', 'Deployment']);
});

test('a project name of 50 characters results in a valid name of the metrics Service', () => {
  const files = manifestsOf({ ...input, settings: { ...input.settings, name: 'a'.repeat(50) } });
  const { metadata } = parse(files.get('config/manager/metrics_service.yaml') ?? '') as Deployment;
  assert.ok(metadata.name.length <= 63);
});

test('YAML 1.1 keywords are quoted, long strings are not wrapped, and the fields of definitions are sorted', () => {
  const text = manifestText([
    {
      kind: 'ConfigMap',
      data: { a: 'yes', b: '012', c: '2026-01-01', d: 'x '.repeat(100), e: 'two\nlines' },
      apiVersion: 'v1',
    },
  ]);
  assert.equal(
    text,
    `apiVersion: v1\nkind: ConfigMap\ndata:\n  a: 'yes'\n  b: '012'\n  c: '2026-01-01'\n  d: '${'x '.repeat(100)}'\n  e: |-\n    two\n    lines\n`,
  );
  const definition = manifestsOf({ ...input, crds: [crd] }).get('config/crd/bases/example.com_websites.yaml') ?? '';
  assert.match(
    definition,
    /openAPIV3Schema:\n {8}description: \|-\n {10}A site\.\n {10}It has several lines\.\n {8}properties:/,
  );
  assert.match(definition, /- 'yes'\n.*- 'no'\n.*- '012'\n.*- '2026-01-01'\n/);
});

const change = (path: string, text: string) => new Map([...manifestsOf(input), [path, text]]);
const KUSTOMIZATION = 'config/default/kustomization.yaml';

test('installManifest includes resources that the user adds to config/default/kustomization.yaml', () => {
  const files = change('config/default/extra.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra # mine');
  files.set(KUSTOMIZATION, 'resources:\n- ../manager\n- ../prometheus\n- extra.yaml\n');
  const kinds = parseAllDocuments(installManifest(files)).map((each) => (each.toJS() as Deployment).kind as string);
  assert.deepEqual(kinds, ['Namespace', 'ConfigMap', 'Service', 'Deployment', 'ServiceMonitor']);
  assert.match(installManifest(files), /name: extra # mine\n---\n/);
});

test('installManifest rejects kustomizations that require kustomize, with the reason and a suggestion', () => {
  const refused = (kustomization: string): string => {
    try {
      installManifest(change(KUSTOMIZATION, kustomization));
    } catch (error) {
      assert.ok(error instanceof KubewrightError && error.code === 'KUSTOMIZE_REQUIRED');
      assert.match(error.message, /config\/default\/kustomization\.yaml .*; install kubectl/);
      return error.message;
    }
    return assert.fail('it was not refused');
  };
  assert.match(refused('resources:\n- ../manager\nimages: []\n'), /it has 'images'/);
  assert.match(refused('resources:\n- https://example.com/base\n'), /'https:\/\/example.com\/base' is not in config/);
  for (const remote of ['github.com/example/base', 'git@example.com:base.git', 'example.com/base//config?ref=v1']) {
    assert.match(refused(`resources:\n- ${remote}\n`), /is not in config/, remote);
  }
  assert.match(refused('resources:\n- ../../extra\n'), /'\.\.\/\.\.\/extra' is not in config/);
});

test('installManifest rejects kustomizations that kubectl rejects, too, and does not recommend kubectl', () => {
  const refused = (kustomization: string, problem: RegExp): void => {
    assert.throws(
      () => installManifest(change(KUSTOMIZATION, kustomization)),
      (error) => {
        assert.ok(error instanceof KubewrightError && error.code === 'INVALID_KUSTOMIZATION', String(error));
        assert.match(error.message, /^cannot build config\/default: in config\/default\/kustomization\.yaml, /);
        assert.doesNotMatch(error.message, /kubectl/);
        assert.match(error.message, problem);
        return true;
      },
    );
  };
  refused('resources:\n- ../manager\n- ../manager\n', /v1 Namespace web-operator-system is listed twice; remove one/);
  refused('resources:\n- ../default\n', /'\.\.\/default' includes itself; remove/);
  refused(
    'resources:\n- missing.yaml\n',
    /'missing\.yaml' is neither a file nor a folder with a kustomization; create/,
  );
  refused('resources: all\n', /'resources' is not a list/);
  refused('- ../manager\n', /it is not an object/);
});

test('installManifest reports the file and line of invalid YAML', () => {
  assert.throws(
    () => installManifest(change(KUSTOMIZATION, 'resources: [\n')),
    (error) => {
      assert.ok(error instanceof KubewrightError && error.code === 'INVALID_MANIFEST');
      return /cannot read config\/default\/kustomization\.yaml: .*line \d/s.test(error.message);
    },
  );
});
