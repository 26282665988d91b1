import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { argumentSpreads } from './argument-spreads.js';
import { findCycle } from './cycles.js';
import { literalAccessors } from './literal-accessors.js';
import { proseMatches } from './prose-matches.js';
import { isGenerated, isTest, type SourceFile, sourceFiles } from './imports.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The other packages that each package may import. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  api: [],
  runtime: ['api'],
  apiserver: ['api'],
  testing: ['api', 'apiserver', 'runtime'],
  cli: ['api', 'apiserver', 'runtime', 'testing', 'create-operator'],
  'create-operator': [],
};
/** The entry of a layer that represents the files directly in the folder. */
const FILES = '';
/** The layers of folders. Each subfolder imports only from its own files and from the subfolders in earlier layers. */
const LAYERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'packages/runtime/src': [
    ['context'],
    ['log', 'metadata', 'metrics', 'tracing', 'waiting'],
    ['rbac', 'transport'],
    ['cache', 'queue', 'events', 'election', 'serving'],
    ['client'],
    ['certificates', 'controller', 'webhook'],
    ['manager'],
    [FILES],
  ],
  'packages/runtime/src/transport': [
    ['connection', 'request'],
    ['answer', 'http2', 'proxy'],
    ['credentials', 'observation', 'stream'],
    ['kubeconfig', 'sending'],
    ['discovery'],
  ],
  'packages/runtime/src/cache': [['parsing', 'store'], ['reflector', 'selection'], ['informer', 'served'], [FILES]],
  'packages/runtime/src/cache/informer': [['notices', 'scopes'], ['handlers'], [FILES]],
  'packages/runtime/src/client': [
    ['client-node', 'options', 'scope'],
    ['requests'],
    ['owners'],
    ['bodies', 'reads'],
    ['plan', 'writes'],
    [FILES],
  ],
  'packages/runtime/src/controller': [
    ['blockers', 'reconciler', 'watches'],
    ['finalizers', 'sources'],
    ['options'],
    ['informers'],
    ['runs'],
    ['own-writes', 'triggers'],
    [FILES],
  ],
  'packages/runtime/src/manager': [
    ['injection', 'lifecycle'],
    ['cluster'],
    ['components', 'endpoints'],
    ['controllers', 'webhooks'],
    ['hooks'],
    ['settings'],
    ['description', 'plan'],
    [FILES],
  ],
  'packages/apiserver/src': [
    ['storage'],
    ['registry'],
    ['authentication', 'authorization'],
    ['admission', 'controllers'],
    ['handlers'],
    ['server'],
    ['command'],
    [FILES],
  ],
  'packages/apiserver/src/admission': [['matching', 'pod-security'], ['policies', 'webhooks'], [FILES]],
  'packages/apiserver/src/registry': [
    ['objects'],
    ['quota', 'requests'],
    ['cluster-data', 'threads', 'webhooks'],
    ['aggregation'],
    ['custom-validation'],
    ['definitions'],
    ['admission', 'decoding', 'listing', 'metadata'],
    ['strategies', 'writing'],
    ['custom', 'scale'],
    [FILES],
  ],
  'packages/apiserver/src/registry/strategies': [
    ['rules'],
    ['core'],
    [
      'admissionregistration',
      'apiextensions',
      'apiregistration',
      'apps',
      'autoscaling',
      'certificates',
      'coordination',
    ],
    [
      'batch',
      'discovery',
      'flowcontrol',
      'networking',
      'node',
      'policy',
      'rbac',
      'resource',
      'scheduling',
      'storage',
      'storagemigration',
    ],
    [FILES],
  ],
  'packages/apiserver/src/controllers': [['objects', 'simulation'], ['work'], ['guarantees', 'workloads'], [FILES]],
  'packages/apiserver/src/controllers/workloads': [
    ['nodes', 'pods', 'scheduling'],
    [
      'certificates',
      'daemon-sets',
      'deployments',
      'jobs',
      'autoscaling',
      'node-rules',
      'replica-sets',
      'secrets',
      'services',
      'stateful-sets',
      'volumes',
    ],
    [FILES],
  ],
};
const MAX_LINES = 450;
/** Maximum number of characters in a line of a comment. The formatter does not break such lines. */
const MAX_COMMENT = 140;
const FORBIDDEN_FOLDERS = /^(common|shared|utils?|helpers?)$/;
const FORBIDDEN_FILES = /^(utils?|helpers?|common|shared|types|misc)\.ts$/;
const FORBIDDEN_NAMES = /\b(?:class|interface)\s+((?:Base|Abstract)[A-Z]\w*|\w+Impl|I[A-Z][a-z]\w*)\b/;

const packages = Object.keys(ARROWS);
const sources = packages.flatMap((name) => sourceFiles(root, join(folderOf(name), 'src')));
/** The sources without tests, and without the templates, whose imports belong to the generated files. */
const library = sources.filter(({ path }) => !isTest(path) && !path.startsWith('create-operator/src/templates/'));

test('each package imports only the packages that it may import', () => {
  assert.deepEqual(
    library.flatMap((file) =>
      file.imports
        .filter(({ specifier }) => !isAllowed(file, specifier))
        .map(({ specifier }) => `${file.path} → ${specifier}`),
    ),
    [],
  );
});

test('each folder of a layer imports only from earlier layers', () => {
  assert.deepEqual(library.flatMap(upwardImports), []);
});

test('the sources have no import cycles, including imports of types', () => {
  const edges = new Map(library.map(({ path, imports }) => [path, imports.flatMap((each) => each.path ?? [])]));
  assert.deepEqual(findCycle(edges), []);
});

test('each subfolder and each file of a folder with layers belongs to a layer', () => {
  const unknown = library.flatMap(({ path }) =>
    Object.entries(LAYERS).flatMap(([folder, layers]) => {
      const room = roomOf(path, folder);
      return room !== undefined && layerOf(room, layers) < 0 ? [path] : [];
    }),
  );
  assert.deepEqual(unknown, []);
});

test(`no source file has more than ${MAX_LINES} lines`, () => {
  const others = ['examples', 'scripts/src'].flatMap((folder) => sourceFiles(root, folder));
  assert.deepEqual(
    [...library, ...others]
      .filter(({ path, lines }) => !isGenerated(path) && !isTest(path) && lines > MAX_LINES)
      .map(({ path, lines }) => `${path}: ${lines}`),
    [],
  );
});

test(`no line of a comment has more than ${MAX_COMMENT} characters`, async () => {
  const { readFileSync } = await import('node:fs');
  // A long word, such as a marker of kubebuilder, cannot be broken.
  const isLong = (line: string): boolean =>
    /^\s*(?:\/\*\*|\*|\/\/) /.test(line) && line.length > MAX_COMMENT && line.lastIndexOf(' ', MAX_COMMENT) > 80;
  const long = sources
    .filter(({ path }) => !isGenerated(path))
    .flatMap(({ path }) => {
      const lines = readFileSync(join(root, path), 'utf8').split('\n');
      return lines.flatMap((line, at) => (isLong(line) ? [`${path}:${at + 1}`] : []));
    });
  assert.deepEqual(long, []);
});

test('no package spreads a list of unbounded length as arguments', async () => {
  const { readFileSync } = await import('node:fs');
  // create-operator has no dependencies and does not read lists from external sources.
  const published = library.filter(({ path }) => path.startsWith('packages/'));
  assert.deepEqual(
    published.flatMap(({ path }) =>
      argumentSpreads(path, readFileSync(join(root, path), 'utf8')).map((call) => `${path}: ${call}`),
    ),
    [],
    'call append(target, list) of @kubewright/api/json or reduce the list',
  );
});

for (const call of [
  'errors.push(...list)',
  'errors?.push(first, ...list)',
  'this.#errors.unshift(\n...list,\n)',
  'list.splice(0, 1, ...others)',
  'list.concat(...lists)',
  'Math.max(0, ...list)',
  'Math.min(...list)',
  'String.fromCharCode(...list)',
  'String.fromCharCode.apply(null, list)',
  'errors.push.apply(errors, list)',
  'errors.push.call(errors, ...list)',
  'Reflect.apply(errors.push, errors, list)',
]) {
  test(`argumentSpreads reports ${JSON.stringify(call)} as a list that is spread as arguments`, () => {
    assert.deepEqual(argumentSpreads('a.ts', `function f() { if (a) ${call}; }`), [call]);
  });
}

test('argumentSpreads does not report calls with a fixed number of arguments', () => {
  const text =
    "errors.push([...list], { ...object }); Math.max(0, 1); client.apply(object, { force: true }); log('a', ...list);";
  assert.deepEqual(argumentSpreads('a.ts', text), []);
});

/** Sources that create few objects of a literal with an accessor, each with the number of these objects. */
const WITH_ACCESSORS: Readonly<Record<string, string>> = {
  'packages/apiserver/src/registry/built-in-definitions.ts': 'one for each built-in kind',
  'packages/apiserver/src/server/certificates/server-keys.ts': 'one for each server',
  'packages/runtime/src/cache/served/served-kinds.ts': 'one for each optional kind',
  'packages/runtime/src/manager/cluster/cluster-backend.ts': 'one for each cluster',
};

test('only the sources in WITH_ACCESSORS create objects of a literal with an accessor', async () => {
  const { readFileSync } = await import('node:fs');
  const withAccessors = library.filter(
    ({ path }) =>
      path.startsWith('packages/') &&
      !isTest(path) &&
      !path.includes('.test.support.') &&
      literalAccessors(path, readFileSync(join(root, path), 'utf8')).length > 0,
  );
  assert.deepEqual(
    withAccessors.map(({ path }) => path).toSorted(),
    Object.keys(WITH_ACCESSORS),
    'use a class with an accessor instead',
  );
});

test('literalAccessors reports accessors of literals, but not of classes', () => {
  const text = 'const a = { b: 1, get c() { return 1; }, set d(value) {} }; class E { get f() { return 1; } }';
  assert.deepEqual(literalAccessors('a.ts', text), ['get c', 'set d']);
});

/**
 * Source files that may look for human-readable phrases in text, because the text has no error code or structure. The value is the origin
 * of the text.
 */
const TEXT_READERS: Readonly<Record<string, string>> = {
  'create-operator/src/command/help-text.ts': 'a command line',
  'create-operator/src/steps/install-packages.ts': 'output of package managers',
  'packages/api/src/fields/class-rules.ts': 'a value of an option',
  'packages/apiserver/src/controllers/guarantees/root-certificate-publisher.ts': 'an annotation',
  'packages/apiserver/src/registry/strategies/certificates/certificate-request-form.ts': 'the PEM format',
  'packages/apiserver/src/registry/webhooks/trusted-authorities.ts': 'the PEM format',
  'packages/cli/src/command/usage-error.ts': 'messages of commander',
  'packages/cli/src/crd-classes/plan-class.ts': 'messages in a CustomResourceDefinition',
  'packages/cli/src/deploy/cluster-refusal.ts': 'messages of a Kubernetes API server',
  'packages/cli/src/dev/settled.ts': 'phases of objects',
  'packages/cli/src/dev/source-compiler.ts': 'output of the TypeScript compiler',
  'packages/cli/src/doctor/check-programs.ts': 'output of kubectl',
  'packages/cli/src/migrate/migrated-kinds.ts': 'YAML',
  'packages/cli/src/project/missing-alias.ts': 'messages of Node.js',
  'packages/runtime/src/cache/reflector/reflector-failure.ts': 'messages of a Kubernetes API server',
  'packages/runtime/src/certificates/pem-certificates.ts': 'the PEM format',
  'packages/runtime/src/client/client-node/to-client-node.ts': 'TypeScript types',
  'packages/runtime/src/rbac/rbac-text.ts': 'messages of a Kubernetes API server',
  'packages/runtime/src/transport/credentials/ca-file.ts': 'the PEM format',
};

test('program logic does not look for human-readable phrases in text, except in text without an error code or structure', async () => {
  const { readFileSync } = await import('node:fs');
  const scripts = sourceFiles(root, 'scripts/src').filter(({ path }) => !isTest(path));
  const found = [...library, ...scripts]
    .filter(({ path }) => !isGenerated(path))
    .flatMap(({ path }) =>
      proseMatches(path, readFileSync(join(root, path), 'utf8')).map((match) => ({ path, match })),
    );
  assert.deepEqual(
    found.filter(({ path }) => TEXT_READERS[path] === undefined),
    [],
  );
  assert.deepEqual([...new Set(found.map(({ path }) => path))].toSorted(), Object.keys(TEXT_READERS).toSorted());
});

/**
 * Sources that create errors without a code, each with the use of these errors. Every other source creates only errors of the type
 * `KubewrightError`, which have a code.
 */
const UNCODED: Readonly<Record<string, string>> = {
  'packages/api/src/built-in/definitions.ts': 'a defect in the generated data',
  'packages/api/src/cel/check/overload.ts': 'a defect in the declared signatures',
  'packages/api/src/cel/library/format-clauses.ts': 'the message of a CelError',
  'packages/api/src/cel/library/pattern.ts': 'the message of a CelError',
  'packages/api/src/cel/syntax/unescape-literal.ts': 'the message of a syntax error in CEL',
  'packages/api/src/protobuf/message-set.ts': 'a defect in the generated data',
  'packages/api/src/protobuf/message-type.ts': 'a defect in the generated data',
  'packages/apiserver/src/controllers/workloads/nodes/pod-addresses.ts': 'the log; the controller tries again',
  'packages/apiserver/src/controllers/workloads/stateful-sets/stateful-set-claims.ts':
    'the log; the controller tries again',
  'packages/apiserver/src/handlers/protobuf/protobuf-writer.ts': 'a defect in the generated data, or in the caller',
  'packages/apiserver/src/handlers/streams/spdy-connection.ts': 'the connection ends',
  'packages/apiserver/src/handlers/streams/spdy-headers.ts': 'the connection ends',
  'packages/apiserver/src/registry/bootstrap.ts': 'a defect in the generated data',
  'packages/apiserver/src/registry/cluster-data/cluster-data.ts': 'a defect in the generated data',
  'packages/apiserver/src/registry/decoding/decode-mutated.ts': 'a defect in the declared types',
  'packages/apiserver/src/registry/decoding/decode.ts': 'a defect in the generated data',
  'packages/apiserver/src/registry/decoding/go-time.ts': 'the message of a Status',
  'packages/apiserver/src/registry/registry.ts': 'a defect in the table of resources',
  'packages/apiserver/src/registry/scale/scale.ts': 'a defect in the generated data',
  'packages/apiserver/src/registry/strategies/certificates/certificate-request.ts': 'an error in the words of Go',
  'packages/apiserver/src/registry/strategies/core/service/service-addresses.ts': 'the message of a Status',
  'packages/apiserver/src/registry/threads/worker-slots.ts': 'no answer, because the client has closed the request',
  'packages/apiserver/src/server/in-process-exchange.ts': 'the cause of REQUEST_FAILED',
  'packages/apiserver/src/server/in-process-listener.ts': 'the cause of REQUEST_FAILED',
  'packages/apiserver/src/server/read-body.ts': 'no answer, because the client has closed the connection',
  'packages/cli/src/explore/explorer.ts': 'the cause of another error, with the stack of a child process',
  'packages/cli/src/explore/refuse-outgoing.ts': 'the stack of a call',
  'packages/cli/src/plan/run-plan.ts': 'the cause of another error, with the stack of a child process',
  'packages/cli/src/project/inspect-project.ts': 'the cause of another error, with the stack of a child process',
  'packages/runtime/src/cache/parsing/sharing-reader.ts': 'another parser reads the JSON',
  'packages/runtime/src/cache/reflector/watch-stream.ts': 'the reflector opens another watch',
  'packages/runtime/src/log/masked-error.ts': 'a copy of any error for the log',
  'packages/runtime/src/manager/plan/plan-reconcile.ts': 'a defect in the assembly of the manager',
  'packages/runtime/src/serving/request-guard.ts': 'the endpoint rejects the request',
  'packages/runtime/src/transport/credentials/ca-file.ts': 'the log; the last valid certificates stay in use',
  'packages/runtime/src/transport/credentials/credential-file.ts': 'the cause of another error',
  'packages/runtime/src/transport/credentials/exec-config.ts': 'the message of CREDENTIAL_PLUGIN_FAILED',
  'packages/runtime/src/transport/credentials/exec-credentials.ts': 'the message of CREDENTIAL_PLUGIN_FAILED',
  'packages/runtime/src/transport/credentials/file-credentials.ts': 'the cause of CREDENTIALS_FAILED',
  'packages/runtime/src/transport/credentials/oidc-credentials.ts': 'the cause of CREDENTIALS_FAILED',
  'packages/runtime/src/transport/discovery/discovery-source.ts': 'the cause of DISCOVERY_FAILED',
  'packages/runtime/src/transport/discovery/discovery.ts': 'a thrown value that is not an error',
  'packages/runtime/src/transport/http2/frame-writer.ts': 'the cause of REQUEST_FAILED',
  'packages/runtime/src/transport/kubeconfig/kubeconfig-entries.ts': 'the message of INVALID_KUBECONFIG',
  'packages/runtime/src/transport/kubeconfig/parsed-kubeconfig.ts': 'the message of INVALID_KUBECONFIG',
  'packages/runtime/src/transport/proxy/http-tunnel.ts': 'the cause of REQUEST_FAILED',
  'packages/runtime/src/transport/proxy/proxy-dialer.ts': 'the cause of REQUEST_FAILED',
  'packages/runtime/src/transport/proxy/socks-tunnel.ts': 'the cause of REQUEST_FAILED',
  'packages/runtime/src/transport/stream/dispatch.ts': 'the end of a connection whose request was rejected',
  'packages/runtime/src/transport/stream/http2-session.ts': 'the cause of REQUEST_FAILED',
  'packages/runtime/src/transport/stream/in-process-route.ts': 'the cause of REQUEST_FAILED',
  'packages/runtime/src/transport/stream/request-connections.ts': 'the cause of REQUEST_FAILED',
  'packages/runtime/src/transport/stream/request-session.ts': 'the cause of REQUEST_FAILED',
  'packages/runtime/src/transport/stream/route.ts': 'the streams start again on another connection',
  'packages/runtime/src/transport/stream/secure-dialer.ts': 'the cause of REQUEST_FAILED',
  'packages/runtime/src/transport/stream/stream-opener.ts': 'the cause of REQUEST_FAILED',
  'packages/testing/src/explore/trials/faults/external-calls.ts': 'the failure of another system',
};

test('only the sources in UNCODED create errors without a code', async () => {
  const { readFileSync } = await import('node:fs');
  const found = library
    .filter(({ path }) => !isGenerated(path) && !path.endsWith('.test.support.ts'))
    .filter(({ path }) => {
      const code = readFileSync(join(root, path), 'utf8').replaceAll(/^\s*(?:\*|\/[*/]).*$/gm, '');
      return /\bnew (?:Type|Range|Syntax)?Error\(/.test(code);
    })
    .map(({ path }) => path);
  assert.deepEqual(found.toSorted(), Object.keys(UNCODED));
});

for (const [expression, source] of [
  ["message.includes('was not found')", ''],
  ["error?.message.endsWith('not found')", ''],
  ['text.startsWith(`cannot plan ${what}`)', ''],
  ['/is not served/i.test(text)', ''],
  ['NOT_SERVED.exec(text)', 'const NOT_SERVED = /is not (served)/;'],
  ["reason === 'not ready'", ''],
  ["'not ready' !== reason", ''],
] as const) {
  test(`proseMatches reports ${expression} as a search for a sentence`, () => {
    assert.deepEqual(proseMatches('a.ts', `${source} if (${expression}) act();`), [expression]);
  });
}

test('proseMatches reports a case clause with a sentence, but not codes and messages that the source itself creates', () => {
  assert.deepEqual(proseMatches('a.ts', "switch (message) { case 'not found': act(); }"), ["'not found'"]);
  const text =
    "if (code === 'NOT_FOUND' || path.startsWith('/a b')) throw new Error('was not found'); log.warn('not ready');";
  assert.deepEqual(proseMatches('a.ts', text), []);
});

test('no folder, file or class has a forbidden name, such as utils or BaseController', async () => {
  const { readFileSync } = await import('node:fs');
  const bad = sources
    .filter(({ path }) => !isGenerated(path))
    .flatMap(({ path }) => {
      const folders = path
        .split('/')
        .slice(3, -1)
        .filter((folder) => FORBIDDEN_FOLDERS.test(folder));
      const file = FORBIDDEN_FILES.test(basename(path)) ? [basename(path)] : [];
      const named = FORBIDDEN_NAMES.exec(readFileSync(join(root, path), 'utf8'))?.[1] ?? [];
      return [...folders, ...file, ...[named].flat()].map((name) => `${path}: ${name}`);
    });
  assert.deepEqual(bad, []);
});

function folderOf(name: string): string {
  return name === 'create-operator' ? name : join('packages', name);
}

function isAllowed({ path }: SourceFile, specifier: string): boolean {
  const imported = /^(?:@kubewright\/([\w-]+)|(create-operator)$)/.exec(specifier);
  if (imported === null) return true;
  const own = packages.find((name) => path.startsWith(`${folderOf(name)}/`)) ?? '';
  return ARROWS[own]?.includes(imported[1] ?? imported[2] ?? '') ?? false;
}

/** Returns the imports of a file that violate the layers of a folder, because the imported file is not in an earlier layer. */
function upwardImports({ path, imports }: SourceFile): readonly string[] {
  return Object.entries(LAYERS).flatMap(([folder, layers]) => {
    const own = roomOf(path, folder);
    const layer = layerOf(own, layers);
    return imports.flatMap((each) => {
      const target = each.path === undefined ? undefined : roomOf(each.path, folder);
      if (target === undefined || target === own) return [];
      const targetLayer = layerOf(target, layers);
      return layer >= 0 && targetLayer >= layer ? [`${path} → ${each.specifier}`] : [];
    });
  });
}
/** Returns the subfolder of `folder` that contains a file; `FILES` for a file directly in `folder`; undefined for other files. */
function roomOf(path: string, folder: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined;
  const [room = '', ...rest] = path.slice(folder.length + 1).split('/');
  return rest.length === 0 ? FILES : room;
}
function layerOf(room: string | undefined, layers: readonly (readonly string[])[]): number {
  return room === undefined ? -1 : layers.findIndex((names) => names.includes(room));
}
