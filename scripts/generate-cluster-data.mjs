// node scripts/generate-cluster-data.mjs: reads the data that the embedded server needs from a real control plane, and generates
// discovery.json, tables.json, schemas.json and bootstrap.json. KUBEWRIGHT_CONTROL_PLANE names a folder with the programs of a control
// plane. Without it, the script builds the programs, which requires Go. `--check` writes nothing and fails if a file in the repository
// differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { get as httpsGet } from 'node:https';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { buildControlPlane } from './build-control-plane.mjs';
import { clusterData } from './cluster-data-folder.mjs';
import { setUp } from './setup.mjs';

setUp();
process.env.KUBEWRIGHT_CONTROL_PLANE ??= buildControlPlane();
if (!process.env.KUBEWRIGHT_CONTROL_PLANE) process.exit(1);
const { TestEnvironment } = await import('@kubewright/testing');

/** Lists of the objects that every new cluster has. */
const bootstrapPaths = [
  '/api/v1/namespaces',
  '/api/v1/services',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  '/apis/rbac.authorization.k8s.io/v1/roles',
  '/apis/rbac.authorization.k8s.io/v1/rolebindings',
  '/apis/scheduling.k8s.io/v1/priorityclasses',
  '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
  '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
  '/apis/apiregistration.k8s.io/v1/apiservices',
  '/apis/networking.k8s.io/v1/servicecidrs',
];
const serverOwned = ['creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'uid'];
/** Descriptive keywords of a schema, to be removed. A property of an object can have the same name; its value is a schema, not a text. */
const wordy = ['description', 'title', 'externalDocs', 'example'];

const env = await TestEnvironment.start({ server: 'control-plane' });
try {
  const discovery = await readDiscovery();
  for (const [name, content] of Object.entries({
    discovery,
    tables: await readTables(discovery),
    schemas: await readSchemas(),
    bootstrap: await readBootstrap(),
  })) {
    keep(`${name}.json`, JSON.stringify(sorted(content)));
  }
} finally {
  await env[Symbol.asyncDispose]();
}

function keep(file, made) {
  const path = join(clusterData, file);
  if (!process.argv.includes('--check')) writeFileSync(path, made);
  else if (readFileSync(path, 'utf8') !== made) {
    console.error(
      `generate-cluster-data: ${file} differs from the response of the server; run node scripts/generate-cluster-data.mjs`,
    );
    process.exitCode = 1;
  }
}

async function readDiscovery() {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  return { '/api': await get('/api', accept), '/apis': await get('/apis', accept) };
}

/** Reads the table columns of each list, without their descriptions. */
async function readTables(discovery) {
  const tables = {};
  for (const path of listPaths(discovery)) {
    const { columnDefinitions } = await get(path, 'application/json;as=Table;v=v1;g=meta.k8s.io');
    tables[path] = withoutWords(columnDefinitions);
  }
  return tables;
}

function listPaths(discovery) {
  return Object.values(discovery).flatMap(({ items }) =>
    items.flatMap(({ metadata: { name }, versions }) =>
      versions.flatMap(({ version, resources }) =>
        resources
          .filter(({ verbs }) => verbs.includes('list'))
          .map(({ resource }) => `/${name ? `apis/${name}` : 'api'}/${version}/${resource}`),
      ),
    ),
  );
}

/**
 * Reads the OpenAPI documents and merges their schemas. If a schema lists different groups in different documents, the document of the core
 * group wins because it lists the fewest.
 */
async function readSchemas() {
  const { paths } = await get('/openapi/v3');
  let schemas = {};
  for (const name of Object.keys(paths).toSorted()) {
    if (!name.startsWith('api')) continue;
    schemas = { ...(await get(paths[name].serverRelativeURL)).components?.schemas, ...schemas };
  }
  return { kubernetes: (await get('/version')).gitVersion, schemas: withoutWords(schemas) };
}

async function readBootstrap() {
  const objects = [];
  for (const path of bootstrapPaths) {
    const { apiVersion, kind, items } = await get(path);
    for (const item of items) objects.push(bootstrapObject({ apiVersion, kind: kind.replace(/List$/, ''), ...item }));
  }
  return objects;
}

/**
 * Returns the object without the fields that the embedded server sets itself: identity, status, and rules that are derived from other
 * objects.
 */
function bootstrapObject(item) {
  const { status: _, ...object } = item;
  const kept = Object.entries(object.metadata).filter(([name]) => !serverOwned.includes(name));
  return {
    ...object,
    metadata: Object.fromEntries(kept),
    ...(object.aggregationRule && { rules: null }),
    ...(object.kind === 'Service' && { spec: withUsualPort(object.spec) }),
  };
}

/** Replaces the port of the server, which differs between runs. */
function withUsualPort({ ports, ...spec }) {
  return { ...spec, ports: ports.map((port) => ({ ...port, targetPort: 6443 })) };
}

function get(path, accept = 'application/json') {
  const { server, ca, token } = env.connection;
  return new Promise((resolve, reject) => {
    const headers = { accept, authorization: `Bearer ${token}` };
    const request = httpsGet(new URL(path, server), { ca, headers }, (answer) => {
      if (answer.statusCode === 200) json(answer).then(resolve, reject);
      else reject(new Error(`GET ${path}: ${answer.statusCode}`));
    });
    request.on('error', reject);
  });
}

function withoutWords(value) {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, content]) => !wordy.includes(name) || typeof content === 'object');
  return Object.fromEntries(kept.map(([name, content]) => [name, withoutWords(content)]));
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
