// Reads the data of a Kubernetes version from its public Go modules: the recorded OpenAPI and discovery documents, the recorded default
// roles, and the declared table columns, API priorities and types. No control plane is necessary.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { goPrograms, runGo } from './go-programs.mjs';
import { root } from './setup.mjs';

const label = 'Kubernetes sources';
/** The program that prints the types. */
const goTypesSource = join(root, 'test', 'control-plane', 'go-types', 'main.go');
/** Keywords whose texts are removed from schemas. Properties with these names are not removed, because their values are schemas. */
const wordy = ['description', 'title', 'externalDocs', 'example'];
const roleFiles = [
  'cluster-roles',
  'cluster-role-bindings',
  'controller-roles',
  'controller-role-bindings',
  'namespace-roles',
  'namespace-role-bindings',
];
/** The columns of a kind that does not declare columns. */
const defaultColumns = [
  { format: 'name', name: 'Name', priority: 0, type: 'string' },
  { format: '', name: 'Created At', priority: 0, type: 'date' },
];

/** The sources of a Kubernetes version such as 1.35.4. */
export class KubernetesSources {
  #folder;
  #version;

  constructor(version) {
    this.#version = version;
    this.#folder = JSON.parse(
      runGo(['mod', 'download', '-json', `k8s.io/kubernetes@v${version}`], { cwd: '/', label, capture: true }),
    ).Dir;
  }

  /** Returns the groups with their stable versions, in the order of discovery. By default, a kube-apiserver serves no other versions. */
  groups() {
    const { items } = JSON.parse(this.#read('api/discovery/aggregated_v2.json'));
    return items
      .map((group) => ({ ...group, versions: group.versions.filter(({ version }) => isStable(version)) }))
      .filter(({ versions }) => versions.length > 0);
  }

  /** Returns the resources of the core group, in the format of legacy discovery. */
  coreResources() {
    return JSON.parse(this.#read('api/discovery/api__v1.json')).resources;
  }

  /** Returns the schemas of all stable versions, without descriptions. If several documents contain a schema, returns the first one. */
  schemas() {
    const folder = 'api/openapi-spec/v3';
    let schemas = {};
    for (const name of readdirSync(join(this.#folder, folder)).toSorted()) {
      const version = /^api.*__(v\w+)_openapi\.json$/.exec(name)?.[1];
      if (version === undefined || !isStable(version)) continue;
      schemas = { ...JSON.parse(this.#read(`${folder}/${name}`)).components?.schemas, ...schemas };
    }
    return withoutWords(schemas);
  }

  /** Returns the default roles and bindings, and the APIServices of all versions. */
  objects() {
    const folder = 'plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata';
    const roles = roleFiles.flatMap((name) => parse(this.#read(`${folder}/${name}.yaml`)).items);
    return [...roles.map(withoutTime), ...this.#apiServices()];
  }

  #apiServices() {
    const files = ['pkg/controlplane/apiserver/aggregator.go', 'cmd/kube-apiserver/app/aggregator.go'];
    const declared = files.flatMap((file) => [
      ...this.#read(file).matchAll(/\{Group: "([^"]+)", Version: "([^"]+)"\}:\s+\{Group: (\d+), Version: (\d+)\}/g),
    ]);
    const priorities = new Map(
      declared.map(([, group, version, ...both]) => [`${version}.${group}`, both.map(Number)]),
    );
    return this.groups().flatMap(({ metadata: { name: group }, versions }) =>
      versions.flatMap(({ version }) => {
        const name = `${version}.${group}`;
        const [groupPriorityMinimum, versionPriority] = priorities.get(name) ?? [];
        // The aggregation layer serves its own group without an APIService.
        if (group === 'apiregistration.k8s.io') return [];
        return {
          apiVersion: 'apiregistration.k8s.io/v1',
          kind: 'APIService',
          metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' }, name },
          spec: { group, groupPriorityMinimum, version, versionPriority },
        };
      }),
    );
  }

  /** Returns the declared table columns of a kind. */
  columns(kind) {
    const text = this.#read('pkg/printers/internalversion/printers.go');
    const [, list] = new RegExp(`h\\.TableHandler\\((\\w+), print${kind}\\)`).exec(text) ?? [];
    if (list === undefined) return defaultColumns;
    const start = text.search(new RegExp(`\\b${list} :?= \\[\\]metav1`));
    if (start < 0) throw new Error(`cannot find the table columns ${list} of ${kind}`);
    const end = text.indexOf('\n\t}\n', start);
    const columns = text
      .slice(start, end)
      .matchAll(/\{Name: "([^"]+)", Type: "([^"]+)"(?:, Format: "([^"]+)")?(?:, Priority: (\d+))?/g);
    return [...columns].map(([, name, type, format = '', priority = '0']) => ({
      format,
      name,
      priority: Number(priority),
      type,
    }));
  }

  /** Returns the Go types of the kinds of the given versions, such as v1 and apps/v1. If Go is not installed, ends this process. */
  goTypes(versions) {
    const program = goPrograms({
      name: 'go-types',
      version: `v${this.#version}`,
      digest: createHash('sha256').update(readFileSync(goTypesSource)).digest('hex'),
      build: (folder) => this.#buildGoTypes(folder),
    });
    if (program === undefined) process.exit(1);
    const { status, stdout } = spawnSync(join(program, 'go-types'), versions, {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`cannot read the Go types of Kubernetes ${this.#version}; see the output above`);
    return JSON.parse(stdout);
  }

  /** Builds the program with the libraries of the version. These libraries have the same version, but with the major version 0. */
  #buildGoTypes(folder) {
    const module = join(folder, 'module');
    mkdirSync(module, { recursive: true });
    cpSync(goTypesSource, join(module, 'main.go'));
    const libraries = ['api', 'apiextensions-apiserver', 'apimachinery', 'client-go', 'kube-aggregator'];
    const requested = libraries.map((name) => `k8s.io/${name}@${this.#version.replace(/^1/, 'v0')}`);
    runGo(['mod', 'init', 'go-types'], { cwd: module, label });
    runGo(['get', ...requested], { cwd: module, label });
    runGo(['mod', 'tidy'], { cwd: module, label });
    runGo(['build', '-trimpath', '-o', join(folder, 'go-types'), '.'], { cwd: module, label });
  }

  #read(file) {
    return readFileSync(join(this.#folder, file), 'utf8');
  }
}

const isStable = (version) => /^v\d+$/.test(version);

function withoutTime({ metadata, ...object }) {
  const kept = Object.entries(metadata).filter(([name]) => name !== 'creationTimestamp');
  return { ...object, metadata: Object.fromEntries(kept) };
}

function withoutWords(value) {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, content]) => !wordy.includes(name) || typeof content === 'object');
  return Object.fromEntries(kept.map(([name, content]) => [name, withoutWords(content)]));
}
