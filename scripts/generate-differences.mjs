// node scripts/generate-differences.mjs: generates the files with the differences of the supported Kubernetes versions from the data of the
// default version. The differences are the differences between the public Go modules of both versions. Requires Go.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { definitionsOf, messagesOf, modulesOf } from './built-in-modules.mjs';
import { clusterData } from './cluster-data-folder.mjs';
import { KubernetesSources } from './kubernetes-sources.mjs';
import { setUp } from './setup.mjs';

setUp();
const { applyMergePatch, mergePatch } = await import('@kubewright/api/patch');

const read = (name) => JSON.parse(readFileSync(join(clusterData, `${name}.json`), 'utf8'));
const own = {
  discovery: read('discovery'),
  tables: read('tables'),
  goTypes: read('go-types'),
  schemas: read('schemas').schemas,
};
const ownSources = new KubernetesSources(read('schemas').kubernetes.slice(1));
checkSources();

// To support another version, create an empty file with its name.
for (const name of readdirSync(dirname(clusterData))) {
  const [, version] = /^kubernetes-(.+)\.json$/.exec(name) ?? [];
  if (version === undefined) continue;
  const differences = sorted(differencesOf(new KubernetesSources(version)));
  writeFileSync(join(dirname(clusterData), name), `${JSON.stringify(differences, undefined, 1)}\n`);
}

/**
 * Throws an error if the recorded data of the default version differs from its sources. The differences between the sources of two versions
 * would then not be the differences between their servers.
 */
function checkSources() {
  const recorded = new Map(read('bootstrap').map((object) => [keyOf(object), object]));
  for (const object of ownSources.objects()) {
    if (!isSame(recorded.get(keyOf(object)), object)) throw new Error(`the recorded object differs: ${keyOf(object)}`);
  }
  if (!isSame(own.discovery['/apis'].items, ownSources.groups())) throw new Error('the recorded groups differ');
}

/** Returns the differences in the format that the embedded API server reads. */
function differencesOf(sources) {
  if (!isSame(sources.coreResources(), ownSources.coreResources())) throw new Error('the core group differs');
  const groups = sources.groups();
  const discovery = { '/api': own.discovery['/api'], '/apis': { items: groups } };
  const openApiSchemas = mergePatch(ownSources.schemas(), sources.schemas()) ?? {};
  const schemas = applyMergePatch(own.schemas, openApiSchemas);
  const versions = Object.values(discovery).flatMap(({ items }) => versionsOf(items));
  const goTypes = sources.goTypes(versions);
  const modules = { own: modulesOf(own.schemas, own.discovery), other: modulesOf(schemas, discovery) };
  return {
    discovery: ['', ...groupDifferences(own.discovery['/apis'].items, groups)],
    tables: mergePatch(own.tables, tablesOf(discovery, sources)) ?? {},
    goTypes: mergePatch(own.goTypes, goTypes) ?? {},
    openApiSchemas,
    schemas: mergePatch(schemasByModule(modules.own), schemasByModule(modules.other)) ?? {},
    messages: mergePatch(messagesByModule(modules.own, own.goTypes), messagesByModule(modules.other, goTypes)) ?? {},
    bootstrap: objectDifferences(ownSources.objects(), sources.objects()),
  };
}

function versionsOf(groups) {
  return groups.flatMap(({ metadata: { name }, versions }) =>
    versions.map(({ version }) => (name ? `${name}/${version}` : version)),
  );
}

/** Returns the groups `to` in their order. Replaces each group that is the same in `from` with its name. */
function groupDifferences(from, to) {
  const known = new Map(from.map((group) => [group.metadata.name, group]));
  return to.map((group) => (isSame(known.get(group.metadata.name), group) ? group.metadata.name : group));
}

/** Returns the recorded columns of known resources, and the declared columns of new resources. */
function tablesOf(discovery, sources) {
  const tables = {};
  for (const [root, { items }] of Object.entries(discovery)) {
    for (const { metadata, versions } of items) {
      for (const { version, resources } of versions) {
        for (const { resource, responseKind, verbs } of resources) {
          const path = [root, ...(metadata.name ? [metadata.name] : []), version, resource].join('/');
          if (verbs.includes('list')) tables[path] = own.tables[path] ?? sources.columns(responseKind.kind);
        }
      }
    }
  }
  return tables;
}

function objectDifferences(from, to) {
  const known = new Map(from.map((object) => [keyOf(object), object]));
  const present = new Set(to.map(keyOf));
  return {
    removed: [...known.keys()].filter((key) => !present.has(key)),
    objects: to.filter((object) => !isSame(known.get(keyOf(object)), object)),
  };
}

function keyOf({ apiVersion, kind, metadata: { namespace = '', name } }) {
  return [apiVersion, kind, namespace, name].join(' ');
}

function schemasByModule(modules) {
  return Object.fromEntries([...modules].map(([path, module]) => [path, definitionsOf(path, module)]));
}

function messagesByModule(modules, goTypes) {
  return Object.fromEntries([...modules.keys()].map((path) => [path, messagesOf(path, goTypes).messages]));
}

function isSame(a, b) {
  return isDeepStrictEqual(sorted(a), sorted(b));
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, sorted(value[name])]),
  );
}
