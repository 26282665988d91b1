import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { runRecorded } from '../test-support/run-recorded.js';

const REPOSITORY = 'github.com/example/source-operator';
const KINDS = ['Archive', 'Branch', 'Chart', 'Depot', 'Extract', 'Feed', 'Graph', 'Handout'];

const definition = (kind: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${kind.toLowerCase()}s.source.example.com
spec:
  group: source.example.com
  names: { kind: ${kind}, plural: ${kind.toLowerCase()}s }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, properties: { url: { type: string } } }
`;

const imports = `package controller

import (
	corev1 "k8s.io/api/core/v1"
	sourcev1 "${REPOSITORY}/api/v1"
)
`;

const reconcile = (type: string): string => `
func (r *${type}) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, retErr error) {
	return ctrl.Result{}, nil
}
`;

/** The Go sources of a project that builds its controllers in ways that differ from the templates of kubebuilder. */
const SOURCES: Readonly<Record<string, string>> = {
  // SetupWithManager calls another method, which has the options.
  'internal/controller/archive_controller.go': `${imports}
// +kubebuilder:rbac:groups="",resources=pods,verbs=delete
func (r *ArchiveReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return r.SetupWithManagerAndOptions(mgr, ArchiveReconcilerOptions{})
}

func (r *ArchiveReconciler) SetupWithManagerAndOptions(mgr ctrl.Manager, opts ArchiveReconcilerOptions) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&sourcev1.Archive{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.Secret{}).
		Watches(&source.Kind{Type: &corev1.Pod{}}, h).
		Complete(r)
}
${reconcile('ArchiveReconciler')}`,
  // The program sets up two reconcilers and a webhook.
  'main.go': `package main

import (
	"${REPOSITORY}/internal/controller"
	sourcev1 "${REPOSITORY}/api/v1"
)

func main() {
	if err := ctrl.NewControllerManagedBy(mgr).For(&sourcev1.Branch{}).Complete(&controller.BranchReconciler{}); err != nil {
		os.Exit(1)
	}
	charts := controller.NewChartReconciler(mgr.GetClient())
	if err := ctrl.NewControllerManagedBy(mgr).For(new(sourcev1.Chart)).Complete(charts); err != nil {
		os.Exit(1)
	}
	if err := ctrl.NewWebhookManagedBy(mgr).For(&sourcev1.Handout{}).Complete(); err != nil {
		os.Exit(1)
	}
}
`,
  'internal/controller/branch_controller.go': `${imports}${reconcile('BranchReconciler')}`,
  'internal/controller/chart_controller.go': `${imports}${reconcile('ChartReconciler')}`,
  // A function sets up a wrapped reconciler of its package.
  'internal/depot/setup.go': `${imports}
func Setup(mgr ctrl.Manager, o controller.Options) error {
	r := NewReconciler(mgr)
	return ctrl.NewControllerManagedBy(mgr).Named("depot").For(&sourcev1.Depot{}).
		Watches(&corev1.ConfigMap{}, h).
		Complete(ratelimiter.NewReconciler("depot", r, o.Limiter))
}
`,
  'internal/depot/reconciler.go': `${imports}${reconcile('Reconciler')}`,
  // A raw source that enqueues the watched objects.
  'internal/controller/extract_controller.go': `${imports}
func (r *ExtractReconciler) setupWithManager(mgr ctrl.Manager) error {
	return builder.TypedControllerManagedBy[reconcile.Request](mgr).
		WatchesRawSource(source.TypedKind(mgr.GetCache(), &sourcev1.Extract{}, &handler.TypedEnqueueRequestForObject[*sourcev1.Extract]{})).
		Complete(r)
}
${reconcile('ExtractReconciler')}`,
  // The kind is a variable.
  'internal/controller/feed_controller.go': `${imports}
func (r *FeedReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(r.object()).Complete(r)
}
${reconcile('FeedReconciler')}`,
  'internal/controller/other_controller.go': `${imports}${reconcile('OtherReconciler')}`,
};

async function project(t: TestContext, version: string, text: string): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'kubewright-migrate-'));
  t.after(() => rm(cwd, { recursive: true }));
  const files = {
    ...SOURCES,
    ...Object.fromEntries(KINDS.map((kind) => [`config/crd/bases/${kind}.yaml`, definition(kind)])),
    PROJECT: `domain: example.com\nrepo: ${REPOSITORY}\nversion: "${version}"\n${text}`,
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), content);
  }
  return cwd;
}

const resources = (more = ''): string =>
  `resources:\n${KINDS.map((kind) => `- group: source\n  kind: ${kind}\n  version: v1\n${more}`).join('')}`;

it('kubewright migrate finds controllers in any setup code, and reports kinds and reconcilers without a controller', async (t) => {
  const cwd = await project(t, '2', resources());
  const { stdout } = await runRecorded(['migrate', '.', 'made', '--no-color'], { cwd });
  assert.deepEqual(
    [...stdout.matchAll(/^created (\w+), for (\w+): (.*)$/gm)].map(([, name, kind]) => [name, kind]),
    [
      ['DepotController', 'Depot'],
      ['ArchiveController', 'Archive'],
      ['ExtractController', 'Extract'],
      ['BranchController', 'Branch'],
      ['ChartController', 'Chart'],
      ['FeedController', 'Feed'],
    ].toSorted((a, b) => stdout.indexOf(a[0] ?? '') - stdout.indexOf(b[0] ?? '')),
  );
  const tasks = stdout.split('\n').filter((line) => line.startsWith('- '));
  for (const task of [
    "Graph (source.example.com) has no controller: no Go source sets up a controller for the kind; if the kind needs a controller, add one with 'kubewright add controller'",
    "Handout (source.example.com) has no controller: no Go source sets up a controller for the kind; if the kind needs a controller, add one with 'kubewright add controller'",
    'check that FeedReconciler in internal/controller/feed_controller.go reconciles Feed, and declare what it owns and watches: no call of For(&…{}) specifies its kind',
    'check internal/controller/other_controller.go: OtherReconciler has a Reconcile method, but no call of For(&…{}) specifies its kind; the command did not migrate OtherReconciler',
    'migrate the code of internal/controller/branch_controller.go (one line) to src/controllers/branch-controller.ts',
    'migrate the code of internal/controller/chart_controller.go (one line) to src/controllers/chart-controller.ts',
    'migrate the code of internal/depot/reconciler.go (one line) to src/controllers/depot-controller.ts',
  ]) {
    assert.ok(tasks.includes(`- ${task}`), `${task}\nis not among\n${tasks.join('\n')}`);
  }
  assert.doesNotMatch(stdout, / Kind of /);
  assert.equal(tasks.filter((task) => / has no controller: /.test(task)).length, 2);
  const read = (name: string): Promise<string> => readFile(join(cwd, `made/src/controllers/${name}.ts`), 'utf8');
  const archive = await read('archive-controller');
  assert.match(archive, /owns: \[Secret\], watches: \[watch\(Pod, \{ map: \(\) => \[\] \}\)\]/);
  assert.match(archive, /@Rbac\(\{ groups: \[''\], resources: \['pods'\], verbs: \['delete'\] \}\)/);
  assert.match(await read('depot-controller'), /watches: \[watch\(ConfigMap, /);
});

it('kubewright migrate matches a controller in PROJECT with the reconciler of the same name if the setup code contains no kind', async (t) => {
  const path = `  domain: example.com\n  api: {}\n  controller: true\n  path: ${REPOSITORY}/api/v1\n`;
  const cwd = await project(t, '3', resources(path));
  const { stdout } = await runRecorded(['migrate', '.', 'made', '--no-color'], { cwd });
  assert.match(stdout, /^created FeedController, for Feed: /m);
  assert.match(
    stdout,
    /^- migrate the code of internal\/controller\/feed_controller\.go \(.*\) to src\/controllers\/feed-controller\.ts$/m,
  );
  assert.match(stdout, /^- check that FeedReconciler /m);
  assert.match(stdout, /^- implement GraphController in src\/controllers\/graph-controller\.ts$/m);
  assert.doesNotMatch(stdout, /has no controller/);
});
