// The built-in kinds in the recorded data of a kube-apiserver, as modules: one for each group and version. The path of a module is
// `folder/version`, such as `core/v1` or `storage/v1`.

const machinery = 'io.k8s.apimachinery.pkg.';
const quantity =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';
const intOrString = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };
const kept = { 'x-kubernetes-preserve-unknown-fields': true };
/** The TypeScript type and the structural schema of definitions for which no interface is generated. */
export const special = {
  Time: ['string', { type: 'string', format: 'date-time' }],
  MicroTime: ['string', { type: 'string', format: 'date-time' }],
  Quantity: ['string', { ...intOrString, pattern: quantity }],
  IntOrString: ['number | string', intOrString],
  // Atomic, because a field manager owns a RawExtension as a whole.
  RawExtension: ['Readonly<Record<string, unknown>>', { type: 'object', 'x-kubernetes-map-type': 'atomic', ...kept }],
  FieldsV1: ['Readonly<Record<string, unknown>>', { type: 'object', ...kept }],
  Patch: ['Readonly<Record<string, unknown>>', { type: 'object', ...kept }],
  JSON: ['unknown', kept],
  JSONSchemaPropsOrArray: ['unknown', kept],
  JSONSchemaPropsOrBool: ['unknown', kept],
  JSONSchemaPropsOrStringArray: ['unknown', kept],
};

export const shortName = (name) => name.slice(name.lastIndexOf('.') + 1);
/** Returns `core/v1` for `io.k8s.api.core.v1.Pod`, and `meta/v1` for definitions of apimachinery. */
export function moduleOf(name) {
  if (name.startsWith(machinery)) return 'meta/v1';
  const words = name.split('.');
  return `${words.at(-3)}/${words.at(-2)}`;
}
const isList = (name, schema) =>
  name.endsWith('List') && schema.properties?.items !== undefined && schema.properties?.metadata !== undefined;

/** Returns the modules, one for each group and version, by path: the resource names from discovery, and the schemas. */
export function modulesOf(schemas, discovery) {
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
    const path = moduleOf(name);
    if (!modules.has(path)) modules.set(path, moduleOfParts(modules, path));
    modules.get(path).definitions[shortName(name)] = schema;
  }
  return new Map([...modules].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the module of a version that the server does not serve, but whose types are the types of fields of served kinds. */
function moduleOfParts(modules, path) {
  const [folder, version] = path.split('/');
  const other = [...modules].find(([each]) => each.startsWith(`${folder}/`))?.[1];
  if (other === undefined)
    throw new Error(`cannot generate the built-in kinds: discovery does not contain the group of ${path}`);
  return { group: other.group, version, kinds: {}, definitions: {} };
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

export function referenceOf(schema) {
  const { allOf, $ref, ...rest } = schema;
  const reference = $ref ?? (allOf?.length === 1 ? allOf[0].$ref : undefined);
  return reference === undefined ? undefined : { name: reference.slice('#/components/schemas/'.length), rest };
}

const isEmptyValue = (value) =>
  value === '' || value === 0 || value === false || (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * Returns the schema to write to the generated file. Shortens references, and removes extensions that are not needed and defaults that are
 * equal to the zero value in Go.
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

/** Returns the schemas of a module by name, as in the generated file. */
export function definitionsOf(path, { definitions }) {
  return Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => [name, special[name]?.[1] ?? stored(schema, path)]),
  );
}

/** Returns the module and the name of a Go struct: `core/v1` and `Pod` for `core/v1.Pod`. */
function structOf(key) {
  const at = key.lastIndexOf('.');
  return { path: key.slice(0, at), name: key.slice(at + 1) };
}

/** Returns the declaration of a protobuf field without the names of Go types, with short references to structs of the same module. */
function messageField(text, module, uses) {
  const reference = (key) => {
    const { path, name } = structOf(key);
    if (path === module) return name;
    uses.add(path);
    return key;
  };
  const [, number, name, type] = /^(\d+ )((?!>)\S+ )?(.*)$/.exec(text);
  const at = type.search(/[@>]/);
  const plain = at < 0 ? plainType(type) : `${plainType(type.slice(0, at + 1))}${reference(type.slice(at + 1))}`;
  // Omits zero values other than null, because the type of the field determines them.
  return `${number}${name?.replace(/=(?!null).*/, '= ') ?? ''}${plain}`;
}
/** Returns a Go type without the names of derived types: `[]string` for `[v1.Names]string v1.Name`. */
const plainType = (type) =>
  type
    .replace(/(?<=^|\})\[[^\]]*\]/, '[]')
    .replace(/^\{[^}]*\}/, '{}')
    .replace(/(?<=\w) .*$/, '');

/** The structs of responses that are not structs of kinds in discovery. */
const responses = [
  ['meta/v1.PartialObjectMetadata', ['1 metadata={} @meta/v1.ObjectMeta']],
  ['meta/v1.APIGroupList', ['1 groups=null []@meta/v1.APIGroup']],
  ['meta/v1.APIResourceList', ['1 groupVersion="" string', '2 resources=null []@meta/v1.APIResource']],
  [
    'meta/v1.APIResource',
    [
      '1 name="" string',
      '2 namespaced=false bool',
      '3 kind="" string',
      '4 verbs=null !v1.Verbs',
      '5 shortNames? []string',
      '6 singularName="" string',
      '7 categories? []string',
      '8 group? string',
      '9 version? string',
      '10 storageVersionHash? string',
    ],
  ],
];

/** Returns the declarations of the messages of a module by name, and the paths of the modules that the declarations refer to. */
export function messagesOf(path, goTypes) {
  const uses = new Set();
  const messages = Object.fromEntries(
    [...Object.entries(goTypes.structs), ...responses]
      .filter(([key]) => structOf(key).path === path)
      .map(([key, fields]) => [structOf(key).name, fields.map((each) => messageField(each, path, uses))]),
  );
  return { messages, uses };
}
