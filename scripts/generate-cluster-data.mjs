// node scripts/generate-cluster-data.mjs: reads data for the embedded API server from a real control plane, and generates discovery.json,
// tables.json, schemas.json, and bootstrap.json. Uses the programs in the folder KUBEWRIGHT_CONTROL_PLANE. If the variable is not set,
// builds the programs, which requires Go. With `--check`, writes no files and exits with 1 if a file in the repository is out of date.
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

/** The paths of the lists that contain the initial objects of a new cluster. */
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
/** Keywords whose texts are removed from schemas. Properties with these names are not removed, because their values are schemas. */
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

/** Reads the table columns of each resource, without descriptions. */
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
 * Reads and merges the schemas of all OpenAPI documents. If several documents contain a schema, uses the schema of the first document. The
 * first document is the document of the core group, whose schemas list the fewest groups.
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
 * Returns an object without the fields that the embedded API server sets itself: metadata such as the uid, the status, and the rules of
 * aggregated ClusterRoles.
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

/** Replaces the target port of a Service with 6443, because the port of the control plane is different in each run. */
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
