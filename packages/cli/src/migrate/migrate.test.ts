import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runRecorded } from '../test-support/run-recorded.js';
import { goControllers } from './go-controller.js';
import { goProject } from './go-project.js';
import { markersIn, remainingMarkers } from './rbac-marker.js';

const memcached = fileURLToPath(new URL('../../src/test-support/memcached', import.meta.url));

async function folder(t: TestContext): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'kubewright-migrate-'));
  t.after(() => rm(cwd, { recursive: true }));
  return cwd;
}

describe('kubewright migrate', () => {
  it('kubewright migrate writes classes, controller skeletons, the main program, and a list of the remaining tasks', async (t) => {
    const cwd = await folder(t);
    const { exitCode, stdout } = await runRecorded(['migrate', memcached, '--no-color'], { cwd });
    assert.equal(exitCode, 0);
    assert.equal(
      stdout,
      `created memcached-operator-ts
created Memcached (cache.example.com/v1alpha1): src/api/cache/v1alpha1/memcached.ts
created MemcachedController, for Memcached: src/controllers/memcached-controller.ts
created MemcachedBackupController, for Memcached: src/controllers/memcached-backup-controller.ts
created DeploymentController, for Deployment: src/controllers/deployment-controller.ts
created CertificateController, for Certificate: src/controllers/certificate-controller.ts
created NodeController, for Node: src/controllers/node-controller.ts
created MemcachedDefaulter, for Memcached: src/webhooks/memcached-defaulter.ts
created MemcachedValidator, for Memcached: src/webhooks/memcached-validator.ts

remaining tasks, also listed in MIGRATION.md:
- migrate the code of internal/controller/memcached_controller.go (8 lines) to src/controllers/memcached-controller.ts
- in src/controllers/memcached-controller.ts, map changes of ConfigMap to the objects to reconcile, with 'map' of watch(…) or with references(…)
- migrate the code of internal/controller/memcached_backup_controller.go (one line) to src/controllers/memcached-backup-controller.ts
- implement DeploymentController in src/controllers/deployment-controller.ts
- implement CertificateController in src/controllers/certificate-controller.ts
- migrate the code of internal/controller/node_controller.go (4 lines) to src/controllers/node-controller.ts
- write the controller of Forgotten (cache.example.com/v1) after you add the class of the kind
- check cmd/agent/main.go: the file sets up a controller for Pod that PROJECT does not contain; the command did not migrate this controller
- move the permissions of internal/controller/certs.go, which @Rbac in src/controllers/memcached-controller.ts declares, to the controller that needs them
- declare Forgotten (cache.example.com/v1): the kind has no class, because no folder crd/bases in config contains its definition; run 'make manifests' in the Go project, and migrate again
- add the types of Certificate (cert-manager.io/v1): src/external/cert-manager.io/v1/certificate.ts contains only the name of the kind; migrate again with --crd and a file with the definition of the kind
- implement MemcachedDefaulter in src/webhooks/memcached-defaulter.ts; until then, the methods of this class throw NOT_MIGRATED, and the API server rejects the requests
- implement MemcachedValidator in src/webhooks/memcached-validator.ts; until then, the methods of this class throw NOT_MIGRATED, and the API server rejects the requests
- check the permissions: kubebuilder grants each controller create, update and delete on its own kind; here, only @Rbac grants these permissions
- migrate your changes to config, cmd/main.go, Dockerfile and Makefile of the Go project
- check the files of the plugin grafana.kubebuilder.io/v1-alpha; the command does not migrate them

next: cd memcached-operator-ts, npm install, npm test
`,
    );
    const read = (path: string): Promise<string> => readFile(join(cwd, 'memcached-operator-ts', path), 'utf8');
    assert.equal(
      (await read('src/controllers/memcached-controller.ts')).split('export class')[0],
      `import { Deployment } from '@kubewright/api/apps/v1';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Controller, Rbac, type ReconcileContext, type Reconciler, Result, watch } from '@kubewright/runtime';
import { Memcached } from '../api/cache/v1alpha1/memcached.js';

@Controller({
  for: Memcached,
  owns: [Deployment],
  watches: [watch(ConfigMap, { map: () => [] })],
  finalizer: 'cache.example.com/finalizer',
})
@Rbac({ groups: [''], resources: ['configmaps'], verbs: ['create'] })
@Rbac({ groups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch', 'create'] })
@Rbac({ urls: ['/metrics'], verbs: ['get'] })
@Rbac({ groups: ['batch'], resources: ['jobs'], verbs: ['get'], names: ['backup'], namespaces: ['backups'] })
@Rbac({ groups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'], verbs: ['create'] })
`,
    );
    assert.match(
      await read('src/controllers/memcached-backup-controller.ts'),
      /for: Memcached, reconcileCondition: false \}/,
    );
    const node = await read('src/controllers/node-controller.ts');
    assert.match(node, /@Controller\(\{ for: Node, finalizer: 'cache\.example\.com\/node' \}\)/);
    assert.match(await read('src/main.ts'), /new Manager\(\{ leaderElection: 'cd1d9a9f\.example\.com' \}\)/);
    assert.match(await read('MIGRATION.md'), /^- \[ \] add the types of Certificate/m);
    const again = await runRecorded(['migrate', memcached], { cwd });
    assert.equal(again.stdout, 'nothing changed: memcached-operator-ts already exists\n');
  });

  it('kubewright migrate sets "namespaced" in package.json if the kubebuilder project is namespaced', async (t) => {
    const cwd = await folder(t);
    await cp(memcached, cwd, { recursive: true });
    await writeFile(join(cwd, 'PROJECT'), `namespaced: true\n${await readFile(join(cwd, 'PROJECT'), 'utf8')}`);
    const source = join(cwd, 'internal/controller/memcached_controller.go');
    const own = (await readFile(source, 'utf8')).replaceAll(
      'groups=core,',
      'groups=core,namespace=memcached-operator-system,',
    );
    await writeFile(source, own.replace('groups=apps,', 'groups=apps,namespace=others,'));
    assert.equal((await runRecorded(['migrate', '.', 'made'], { cwd })).exitCode, 0);
    const manifest = JSON.parse(await readFile(join(cwd, 'made/package.json'), 'utf8')) as { kubewright: object };
    assert.deepEqual(manifest.kubewright, { domain: 'example.com', namespaced: true });
    const controller = await readFile(join(cwd, 'made/src/controllers/memcached-controller.ts'), 'utf8');
    const permissions = controller.replace(/\s+/g, ' ').match(/@Rbac\(\{.*?\}\)/g) ?? [];
    assert.deepEqual(permissions.slice(0, 2), [
      "@Rbac({ groups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'], namespaces: ['others'], })",
      "@Rbac({ groups: [''], resources: ['configmaps'], verbs: ['create'] })",
    ]);
  });

  it('kubewright migrate uses the definitions and Go sources if the group or version in PROJECT is outdated', async (t) => {
    const cwd = await folder(t);
    await cp(memcached, cwd, { recursive: true });
    const resource = (version: string, group: string) => `- api:
    crdVersion: v1
  controller: true
  domain: example.com
  group: ${group}
  kind: Memcached
  path: github.com/example/memcached-operator/api/cache/${version}
  version: ${version}
`;
    await writeFile(
      join(cwd, 'PROJECT'),
      `domain: example.com\nprojectName: m\nversion: "3"\nresources:\n${resource('v1', 'cache')}${resource('v1alpha1', 'old')}`,
    );
    const bases = join(cwd, 'config/crd/bases');
    const definition = await readFile(join(bases, 'cache.example.com_memcacheds.yaml'), 'utf8');
    await rm(bases, { recursive: true });
    await mkdir(join(cwd, 'config/components/crd/bases'), { recursive: true });
    await writeFile(join(cwd, 'config/components/crd/bases/all.yaml'), definition);
    await writeFile(join(cwd, 'config/components/crd/bases/kustomization.yaml'), 'resources: [all.yaml]\n');
    const source = join(cwd, 'internal/controller/memcached_controller.go');
    const moved = (await readFile(source, 'utf8')).replace('memcached-operator/api', 'memcached-operator/v5/api');
    await writeFile(source, moved.replace('Owns(&appsv1.Deployment{})', 'Owns(&appsv1.Deployment{}).Owns(r.child)'));
    const { stdout } = await runRecorded(['migrate', '.', 'made', '--json'], { cwd });
    const { created, tasks } = JSON.parse(stdout) as Readonly<Record<'created' | 'tasks', readonly string[]>>;
    assert.deepEqual(
      created.filter((path) => /src\/controllers\/.*(?<!test)\.ts$/.test(path)),
      ['memcached-backup', 'memcached', 'node'].map((name) => `src/controllers/${name}-controller.ts`),
    );
    assert.ok(
      tasks.includes(
        'declare in src/controllers/memcached-controller.ts the kinds that internal/controller/memcached_controller.go owns or watches through variables',
      ),
    );
  });

  it('kubewright migrate supports PROJECT files of version 2, and names controllers after folders if reconcilers have the same name', async (t) => {
    const cwd = await folder(t);
    await cp(memcached, cwd, { recursive: true });
    const resource = '{ group: cache, kind: Memcached, version: v1alpha1 }';
    const repo = 'github.com/example/memcached-operator';
    await writeFile(
      join(cwd, 'PROJECT'),
      `domain: example.com\nrepo: ${repo}\nresources: [${resource}]\nversion: "2"\n`,
    );
    await rm(join(cwd, 'cmd'), { recursive: true });
    const old = join(cwd, 'internal/controller');
    const source = (await readFile(join(old, 'memcached_controller.go'), 'utf8')).replace(
      'api/cache/v1alpha1',
      'api/v1alpha1',
    );
    await rm(join(cwd, 'internal'), { recursive: true });
    await writeFile(join(cwd, 'main.go'), 'package main\n');
    for (const path of ['controllers', 'internal/management/controllers', 'pkg/controllers']) {
      await mkdir(join(cwd, path), { recursive: true });
      await writeFile(join(cwd, path, 'memcached_controller.go'), source);
    }
    const { stdout } = await runRecorded(['migrate', '.', 'made', '--no-color'], { cwd });
    assert.match(stdout, /^created Memcached \(cache\.example\.com\/v1alpha1\): src\/api\/v1alpha1\/memcached\.ts$/m);
    assert.deepEqual(
      [...stdout.matchAll(/^created (\w+), for Memcached: (.*)$/gm)].map(([, name, path]) => [name, path]),
      [
        ['MemcachedController', 'src/controllers/memcached-controller.ts'],
        ['ManagementMemcachedController', 'src/controllers/management-memcached-controller.ts'],
        ['Memcached2Controller', 'src/controllers/memcached-2-controller.ts'],
      ],
    );
    assert.match(await readFile(join(cwd, 'made/package.json'), 'utf8'), /"name": "memcached-operator"/);
  });

  it('kubewright migrate identifies built-in kinds by the Go package, and reads sources with CRLF line endings', async (t) => {
    const cwd = await folder(t);
    await cp(memcached, cwd, { recursive: true });
    const resources = [
      'group: core\n  kind: Node',
      'group: certificates\n  domain: k8s.io\n  kind: CertificateSigningRequest',
    ];
    const paths = ['core/v1', 'certificates/v1'];
    await writeFile(
      join(cwd, 'PROJECT'),
      `domain: example.com\nprojectName: m\nversion: "3"\nresources:\n${resources
        .map((each, at) => `- controller: true\n  ${each}\n  path: k8s.io/api/${paths[at]}\n  version: v1\n`)
        .join('')}`,
    );
    const source = join(cwd, 'internal/controller/node_controller.go');
    await writeFile(source, (await readFile(source, 'utf8')).replaceAll('\n', '\r\n'));
    assert.equal((await runRecorded(['migrate', '.', 'made'], { cwd })).exitCode, 0);
    const read = (name: string) => readFile(join(cwd, `made/src/controllers/${name}-controller.ts`), 'utf8');
    const node = await read('node');
    assert.match(node, /import \{ Node \} from '@kubewright\/api\/core\/v1';/);
    assert.match(node, /@Controller\(\{ for: Node, finalizer: 'cache\.example\.com\/node' \}\)/);
    assert.match(await read('certificate-signing-request'), /from '@kubewright\/api\/certificates\/v1';/);
  });

  it('kubewright migrate rejects a folder without a valid PROJECT file, and a target folder with files', async (t) => {
    const cwd = await folder(t);
    const refusal = async (...args: readonly string[]): Promise<string> => {
      const { exitCode, stderr } = await runRecorded(['migrate', ...args, '--no-color'], { cwd });
      return `${exitCode} ${stderr.trim()}`;
    };
    assert.equal(
      await refusal('.'),
      '3 error: cannot migrate .: the folder has no PROJECT file; specify the folder of a kubebuilder project',
    );
    await writeFile(join(cwd, 'PROJECT'), 'version: "1"\n');
    assert.equal(
      await refusal('.'),
      '3 error: cannot migrate PROJECT: it has version 1; upgrade the project to version 3 with kubebuilder first',
    );
    await writeFile(join(cwd, 'PROJECT'), 'a: [');
    assert.match(await refusal('.'), /^3 error: cannot migrate PROJECT: it is not valid YAML: /);
    await writeFile(
      join(cwd, 'PROJECT'),
      'version: "3"\nresources: [{ group: ../up, kind: "A\'", version: v1, controllers: [{ name: a/b }] }]',
    );
    assert.equal(
      await refusal('.'),
      "3 error: cannot migrate PROJECT: a resource has an invalid name: the kind 'A'' and the group '../up' and the controller 'a/b'",
    );
    assert.match(
      await refusal(memcached, '.'),
      /^1 error: cannot create the project in .*: the folder already contains PROJECT;/,
    );
    assert.match(await refusal(memcached, 'new', '--crd', 'no.yaml'), /no\.yaml: the file does not exist$/);
  });
});

describe('RBAC markers', () => {
  it('RBAC markers are parsed with quotes, braces, semicolons, and the group core, as in controller-gen', () => {
    assert.deepEqual(
      markersIn(
        '//+kubebuilder:rbac:groups="core";apps,resources={pods,services},verbs="get";list\n// +kubebuilder:rbac:urls=/a;/b,verbs=*',
      ),
      [
        { groups: ['', 'apps'], resources: ['pods', 'services'], urls: [], verbs: ['get', 'list'], names: [] },
        { groups: [], resources: [], urls: ['/a', '/b'], verbs: ['*'], names: [] },
      ],
    );
  });
  it('RBAC markers are omitted if declarations grant the same permissions', () => {
    const [marker] = markersIn('// +kubebuilder:rbac:groups=apps,resources=a;b;c,verbs=get;delete');
    assert.ok(marker);
    const declared = [
      { group: 'apps', resource: 'a', verb: 'get' },
      { group: 'apps', resource: 'a', verb: 'delete' },
      { group: 'apps', resource: 'b', verb: 'get' },
      { group: 'apps', resource: 'b', verb: 'list' },
    ];
    assert.deepEqual(
      remainingMarkers([marker], { declared }).map(({ resources, verbs }) => [resources, verbs]),
      [
        [['b'], ['delete']],
        [['c'], ['get', 'delete']],
      ],
    );
  });
  it('RBAC markers are not omitted if declarations grant the permissions only in another namespace', () => {
    const markers = markersIn(
      '// +kubebuilder:rbac:groups=apps,resources=a,verbs=get,namespace=here\n// +kubebuilder:rbac:groups=apps,resources=a,verbs=get,namespace=there\n// +kubebuilder:rbac:groups=apps,resources=b,verbs=get,namespace=here',
    );
    const declared = [{ group: 'apps', resource: 'a', verb: 'get' }];
    assert.deepEqual(
      remainingMarkers(markers, { declared, ownNamespace: 'here' }).map((each) => [each.resources, each.namespace]),
      [
        [['a'], 'there'],
        [['b'], undefined],
      ],
    );
  });
});

describe('Go controllers', () => {
  it('goControllers returns no controllers for sources that do not specify a kind', () => {
    const none = { controllers: [], unclear: [] };
    assert.deepEqual(goControllers(new Map([['a.go', 'package a\n']])), none);
    const empty = 'func (r *A) SetupWithManager(m M) error {\n\treturn nil\n}\n';
    assert.deepEqual(goControllers(new Map([['a.go', empty]])), none);
  });
  it('goControllers returns the import paths of the kinds and the type of the receiver', () => {
    const text = `package a

import v1 "k8s.io/api/core/v1"
import "example.com/b/v2"

func (r *A) SetupWithManager(m M) error {
	return b.For(&v2.B{}, builder.OnlyMetadata).
		WatchesRawSource(source.Kind(m.GetCache(), &v1.Secret{}, h)).
		Complete(r)
}

func (C) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, nil
}

func (C) SetupWithManager(m M) error {
	return b.For(&v1.Pod{}).Owns(child).Complete(r)
}
`;
    assert.deepEqual(
      goControllers(new Map([['a.go', text]])).controllers.map((each) => [
        each.reconciler,
        each.for,
        each.watches,
        each.hasMore,
        each.lines,
      ]),
      [
        ['A', { path: 'example.com/b/v2', name: 'B' }, [{ path: 'k8s.io/api/core/v1', name: 'Secret' }], false, 0],
        ['C', { path: 'k8s.io/api/core/v1', name: 'Pod' }, [], true, 1],
      ],
    );
  });
  it('the finalizer of a Go controller can be a string or a constant of another source', () => {
    const setup = 'func (r *A) SetupWithManager(m M) error {\n\treturn b.For(&v1.Pod{}).Complete(r)\n}\n';
    const finalizerOf = (call: string) =>
      goControllers(new Map([['a.go', `${setup}\n// AddFinalizer(o, "no")\nvar x = ${call}\n`]])).controllers[0]
        ?.finalizer;
    assert.deepEqual(finalizerOf('controllerutil.AddFinalizer(o, "example.com/a")'), { text: 'example.com/a' });
    assert.deepEqual(finalizerOf('c.ContainsFinalizer(o, api.TheFinalizer)'), { constant: 'TheFinalizer' });
    assert.equal(finalizerOf('1'), undefined);
    const { constant } = goProject(new Map([['b.go', 'const (\n\tTheFinalizer string = "example.com/b"\n)\n']]));
    assert.deepEqual([constant('TheFinalizer'), constant('Finalizer')], ['example.com/b', undefined]);
  });
  it('goProject finds the leader election ID of the only program, and lists programs below cmd as other programs if main.go exists', () => {
    const manager = 'ctrl.NewManager(cfg, ctrl.Options{LeaderElectionID: "a.example.com"})';
    assert.equal(goProject(new Map([['cmd/manager/main.go', manager]])).leaderElectionId, 'a.example.com');
    const beside = goProject(
      new Map([
        ['cmd/agent/main.go', manager],
        ['main.go', ''],
      ]),
    );
    assert.deepEqual([beside.leaderElectionId, [...beside.otherPrograms]], [undefined, ['cmd/agent/main.go']]);
  });
});
