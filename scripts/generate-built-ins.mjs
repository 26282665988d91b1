// Generates packages/api/src/generated from the recorded responses of a kube-apiserver (packages/apiserver/data). `--check` writes nothing
// and fails if a file in the repository differs.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { clusterData } from './cluster-data-folder.mjs';
import { root } from './setup.mjs';

const target = join(root, 'packages/api/src/generated');
const { kubernetes, schemas } = JSON.parse(readFileSync(join(clusterData, 'schemas.json'), 'utf8'));
const discovery = JSON.parse(readFileSync(join(clusterData, 'discovery.json'), 'utf8'));
const head = `// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes ${kubernetes}. Do not edit.\n`;

const machinery = 'io.k8s.apimachinery.pkg.';
const quantity =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';
const intOrString = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };
const kept = { 'x-kubernetes-preserve-unknown-fields': true };
/** Definitions that are not interfaces: their TypeScript type and their structural schema. */
const special = {
  Time: ['string', { type: 'string', format: 'date-time' }],
  MicroTime: ['string', { type: 'string', format: 'date-time' }],
  Quantity: ['string', { ...intOrString, pattern: quantity }],
  IntOrString: ['number | string', intOrString],
  // A field manager that owns a RawExtension owns all of its fields.
  RawExtension: ['Readonly<Record<string, unknown>>', { type: 'object', 'x-kubernetes-map-type': 'atomic', ...kept }],
  FieldsV1: ['Readonly<Record<string, unknown>>', { type: 'object', ...kept }],
  Patch: ['Readonly<Record<string, unknown>>', { type: 'object', ...kept }],
  JSON: ['unknown', kept],
  JSONSchemaPropsOrArray: ['unknown', kept],
  JSONSchemaPropsOrBool: ['unknown', kept],
  JSONSchemaPropsOrStringArray: ['unknown', kept],
};
/** Kinds that are also embedded in other objects. All fields of an embedded object are optional. */
const embedded = { PersistentVolumeClaim: 'EmbeddedPersistentVolumeClaim' };

const shortName = (name) => name.slice(name.lastIndexOf('.') + 1);
/** Returns `core/v1` for `io.k8s.api.core.v1.Pod`, and `meta/v1` for definitions of apimachinery. */
function moduleOf(name) {
  if (name.startsWith(machinery)) return 'meta/v1';
  const words = name.split('.');
  return `${words.at(-3)}/${words.at(-2)}`;
}
const isList = (name, schema) =>
  name.endsWith('List') && schema.properties?.items !== undefined && schema.properties?.metadata !== undefined;

/** Reads the group, version and resource names of every module from discovery. */
function readModules() {
  const modules = new Map([['meta/v1', { group: 'meta.k8s.io', version: 'v1', kinds: {}, definitions: {} }]]);
  for (const { metadata, versions } of [...discovery['/api'].items, ...discovery['/apis'].items]) {
    for (const { version, resources } of versions) {
      const group = metadata.name ?? '';
      const kinds = Object.fromEntries(resources.map((each) => [each.responseKind.kind, namesOf(each)]));
      modules.set(`${(group || 'core').split('.')[0]}/${version}`, { group, version, kinds, definitions: {} });
    }
  }
  for (const [name, schema] of Object.entries(schemas)) {
    if (isList(name, schema)) continue;
    const module = modules.get(moduleOf(name));
    if (module === undefined) throw new Error(`no group for ${name}`);
    module.definitions[shortName(name)] = schema;
  }
  return new Map([...modules].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function namesOf({ resource, singularResource, scope, shortNames, categories, subresources }) {
  return {
    plural: resource,
    singular: singularResource,
    namespaced: scope === 'Namespaced',
    ...(shortNames && { shortNames }),
    ...(categories && { categories }),
    ...(subresources?.some((each) => each.subresource === 'status') && { status: true }),
  };
}

function referenceOf(schema) {
  const { allOf, $ref, ...rest } = schema;
  const reference = $ref ?? (allOf?.length === 1 ? allOf[0].$ref : undefined);
  return reference === undefined ? undefined : { name: reference.slice('#/components/schemas/'.length), rest };
}

const isEmptyValue = (value) =>
  value === '' || value === 0 || value === false || (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * Returns a schema as it is stored: with short references, without defaults that are the empty value in Go, and without descriptive fields.
 */
function stored(schema, module) {
  const { default: fallback, 'x-kubernetes-group-version-kind': _, 'x-kubernetes-unions': __, ...plain } = schema;
  const kept = fallback === undefined || isEmptyValue(fallback) ? {} : { default: fallback };
  const reference = referenceOf(plain);
  if (reference !== undefined) {
    const { name, rest } = reference;
    const at = moduleOf(name);
    return { $ref: at === module ? shortName(name) : `${at}#${shortName(name)}`, ...rest, ...kept };
  }
  const { properties, items, additionalProperties, ...others } = plain;
  return {
    ...others,
    ...kept,
    ...(properties && { properties: mapValues(properties, (each) => stored(each, module)) }),
    ...(items && { items: stored(items, module) }),
    ...(additionalProperties && { additionalProperties: stored(additionalProperties, module) }),
  };
}
const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

function typeOf(schema, module) {
  const reference = referenceOf(schema);
  if (reference !== undefined) {
    const name = shortName(reference.name);
    if (special[name] !== undefined) return special[name][0];
    const at = moduleOf(reference.name);
    return `${at === module ? '' : `${at.replace('/', '_')}.`}${embedded[name] ?? name}`;
  }
  if (schema.type === 'array') return `readonly ${parenthesized(typeOf(schema.items, module))}[]`;
  if (schema.additionalProperties) return `Readonly<Record<string, ${typeOf(schema.additionalProperties, module)}>>`;
  if (schema.type === 'object') return 'Readonly<Record<string, unknown>>';
  return { string: 'string', integer: 'number', number: 'number', boolean: 'boolean' }[schema.type] ?? 'unknown';
}
const parenthesized = (type) => (type.includes('|') || type.startsWith('readonly ') ? `(${type})` : type);
const propertyName = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`);

function members(schema, module, { skip = [], required = schema.required ?? [] } = {}) {
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => !skip.includes(name))
    .map(([name, each]) => {
      const always = required.includes(name);
      return `  readonly ${propertyName(name)}${always ? '' : '?'}: ${typeOf(each, module)}${always ? '' : ' | undefined'};\n`;
    })
    .join('');
}

function kindText(kind, schema, path, module) {
  const apiVersion = module.group === '' ? module.version : `${module.group}/${module.version}`;
  const required = [...(schema.required ?? []), ...(kind === 'Namespace' ? [] : ['spec'])];
  const own = members(schema, path, { skip: ['apiVersion', 'kind', 'metadata'], required });
  return (
    `export interface ${kind} extends KubeObject {\n  readonly apiVersion: '${apiVersion}';\n  readonly kind: '${kind}';\n${own}}\n` +
    `export const ${kind}: BuiltInKind<${kind}> = /* @__PURE__ */ builtInKind(definitions, '${kind}');\n` +
    (embedded[kind] === undefined ? '' : partText(embedded[kind], schema, path, kind))
  );
}

function partText(name, schema, path, definition = name) {
  const body = members(schema, path);
  const declaration =
    body === '' ? `export type ${name} = Readonly<Record<string, never>>;\n` : `export interface ${name} {\n${body}}\n`;
  return `${declaration}export const ${name}: BuiltInPart<${name}> = /* @__PURE__ */ builtInPart(definitions, '${definition}');\n`;
}

function moduleText(path, module) {
  const parts = Object.entries(module.definitions)
    .filter(([name]) => special[name] === undefined)
    .map(([name, schema]) =>
      module.kinds[name] ? kindText(name, schema, path, module) : partText(name, schema, path),
    );
  const body = parts.join('\n');
  const used = usesOf(path, module).filter((each) => body.includes(`${each.replace('/', '_')}.`));
  const values = [
    ['type BuiltInKind', 'builtInKind'],
    ['type BuiltInPart', 'builtInPart'],
  ].flatMap(([type, make]) => (body.includes(`${make}(`) ? [type, make] : []));
  return (
    `${head}import { ${values.join(', ')} } from '../../built-in/built-in-kind.js';\n` +
    (body.includes('KubeObject') ? "import type { KubeObject } from '../../objects/kube-object.js';\n" : '') +
    used.map((each) => `import type * as ${each.replace('/', '_')} from '../${each}.js';\n`).join('') +
    `import { definitions } from './${module.version}-definitions.js';\n\n${body}`
  );
}

function usesOf(path, module) {
  const found = JSON.stringify(module.definitions).matchAll(/#\/components\/schemas\/([^"]+)/g);
  return [...new Set([...found].map(([, name]) => moduleOf(name)))].filter((each) => each !== path).toSorted();
}

function definitionsText(path, module) {
  const kept = Object.fromEntries(
    Object.entries(module.definitions).map(([name, schema]) => [name, special[name]?.[1] ?? stored(schema, path)]),
  );
  const text = JSON.stringify(kept).replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  const uses = usesOf(path, module);
  const names = uses.map((each) => `'${each}': ${each.replace('/', '_')}`).join(', ');
  return (
    `${head}import { Definitions } from '../../built-in/definitions.js';\n` +
    uses
      .map((each) => `import { definitions as ${each.replace('/', '_')} } from '../${each}-definitions.js';\n`)
      .join('') +
    `\n/** The schemas of ${path}, parsed on first use. */\nexport const definitions: Definitions = /* @__PURE__ */ new Definitions({\n` +
    `  group: '${module.group}',\n  version: '${module.version}',\n  kinds: ${JSON.stringify(module.kinds)},\n  uses: { ${names} },\n  text:\n    '${text}',\n});\n`
  );
}

function generate() {
  const modules = readModules();
  const files = new Map();
  for (const [path, module] of modules) {
    files.set(`${path}.ts`, moduleText(path, module));
    files.set(`${path}-definitions.ts`, definitionsText(path, module));
  }
  const all = [...modules.keys()];
  files.set(
    'all-definitions.ts',
    `${head}import type { Definitions } from '../built-in/definitions.js';\n` +
      all
        .map((each) => `import { definitions as ${each.replace('/', '_')} } from './${each}-definitions.js';\n`)
        .join('') +
      `\n/** The schemas of every built-in group-version. */\nexport const allDefinitions: readonly Definitions[] = [\n${all.map((each) => `  ${each.replace('/', '_')},\n`).join('')}];\n`,
  );
  return files;
}

function present(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((each) =>
    each.isDirectory() ? present(join(folder, each.name)) : [relative(target, join(folder, each.name))],
  );
}

const files = generate();
const stale = present(target).filter((path) => !files.has(path));
const differing = [...files].filter(
  ([path, text]) => !existsSync(join(target, path)) || readFileSync(join(target, path), 'utf8') !== text,
);
if (process.argv.includes('--check')) {
  for (const path of [...stale, ...differing.map(([each]) => each)])
    process.stderr.write(`${path} is not what the generator makes; run npm run generate\n`);
  process.exitCode = stale.length + differing.length > 0 ? 1 : 0;
} else {
  for (const path of stale) rmSync(join(target, path));
  for (const [path, text] of differing) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), text);
  }
  process.stdout.write(`${files.size} files of built-in kinds, ${differing.length} written\n`);
}
