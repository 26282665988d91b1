import { moduleFrom } from '../add/change-main.js';
import { importLines } from '../add/import-lines.js';
import { webhookClass, webhookPath } from '../add/webhook-names.js';
import { printCode } from '../crd-classes/code.js';
import { objectLiteral, quoted, Verbatim } from '../crd-classes/literal.js';
import { type GoMethod, GoWebhooks } from './go-webhook.js';
import type { KubebuilderProject, KubebuilderResource } from './kubebuilder-project.js';
import type { MigratedKind, MigratedKinds } from './migrated-kinds.js';
import { decoratorOptions } from './webhook-marker.js';

/** A class whose methods throw NOT_MIGRATED, and contain the Go source to migrate as a comment. */
export interface MigratedWebhook {
  readonly className: string;
  readonly path: string;
  readonly text: string;
  /** The line that describes the class in messages. */
  readonly created: string;
  /** The remaining task. */
  readonly task: string;
}

/**
 * Returns a class for each defaulter, validator and converter of the kinds in PROJECT. The options of the decorators are those of the
 * markers. The methods throw NOT_MIGRATED, and contain the Go source as a comment.
 */
export function migratedWebhooks(
  { resources }: KubebuilderProject,
  kinds: MigratedKinds,
  sources: ReadonlyMap<string, string>,
): readonly MigratedWebhook[] {
  const go = new GoWebhooks(sources);
  const made = resources.flatMap((resource) => {
    const kind = kinds.ofResource({ ...resource });
    if (kind === undefined) return [];
    const { webhooks } = resource;
    return [
      ...(webhooks.includes('defaulting') ? [admissionWebhook(kind, go, 'Defaulter')] : []),
      ...(webhooks.includes('validation') ? [admissionWebhook(kind, go, 'Validator')] : []),
      ...(webhooks.includes('conversion') ? converters({ hub: kind, resource, resources, kinds, go }) : []),
    ];
  });
  return made.filter(({ path }, at) => made.findIndex((other) => other.path === path) === at);
}

function admissionWebhook(kind: MigratedKind, go: GoWebhooks, decorator: 'Defaulter' | 'Validator'): MigratedWebhook {
  const isDefaulter = decorator === 'Defaulter';
  const className = webhookClass(kind.kind, decorator);
  const path = webhookPath(kind.kind, decorator);
  const from = kind.from.startsWith('@') ? kind.from : moduleFrom(path, kind.from);
  const marker = go.marker(kind, isDefaulter ? 'mutating' : 'validating');
  const options = objectLiteral([
    ['for', new Verbatim(kind.className)],
    ...Object.entries(marker === undefined ? {} : decoratorOptions(marker)),
  ]);
  const names = isDefaulter ? ['Default'] : ['ValidateCreate', 'ValidateUpdate', 'ValidateDelete'];
  const methods = go.methods(kind, names);
  const signature = isDefaulter ? 'default(): void' : 'validate(): readonly Violation[]';
  const imports = new Map([
    ['@kubewright/api', isDefaulter ? ['Defaulter'] : ['Validator', 'type Violation']],
    ['@kubewright/api/errors', ['KubewrightError']],
    [from, [kind.className]],
  ]);
  const text = `${importLines(imports)}
${printCode([`@${decorator}(`, options, ')'], 0)}
export class ${className} implements ${decorator}<${kind.className}> {
${method(signature, { className, names, methods })}}
`;
  return { className, path, text, ...reported({ className, kind, path, methods }) };
}

interface Conversion {
  readonly hub: MigratedKind;
  readonly resource: KubebuilderResource;
  readonly resources: readonly KubebuilderResource[];
  readonly kinds: MigratedKinds;
  readonly go: GoWebhooks;
}

/**
 * Returns the converters of a kind in PROJECT. Creates a converter for each version, except the hub, if the Go type of the version has the
 * method ConvertTo.
 */
function converters({ hub, resource, resources, kinds, go }: Conversion): readonly MigratedWebhook[] {
  const others = resources.filter(
    ({ group, kind, version }) => group === resource.group && kind === resource.kind && version !== resource.version,
  );
  const spokes = others.flatMap((other) => kinds.ofResource({ ...other }) ?? []);
  const isSpoke = ({ kind, version }: MigratedKind): boolean =>
    go.methods({ kind, version }, ['ConvertTo']).some(({ file }) => file.split('/').includes(version));
  return spokes.filter(isSpoke).map((spoke, _, all) => converter({ spoke, hub, go, isOneOfSeveral: all.length > 1 }));
}

function converter({
  spoke,
  hub,
  go,
  isOneOfSeveral,
}: {
  readonly spoke: MigratedKind;
  readonly hub: MigratedKind;
  readonly go: GoWebhooks;
  readonly isOneOfSeveral: boolean;
}): MigratedWebhook {
  const name = isOneOfSeveral ? `${hub.kind}-${spoke.version}` : hub.kind;
  const className = webhookClass(name, 'Converter');
  const path = webhookPath(name, 'Converter');
  const local = ({ className: of, version }: MigratedKind): string => `${of}${version.toUpperCase()}`;
  const imports = new Map([
    ['@kubewright/api', ['type ConvertedContent', 'Converter']],
    ['@kubewright/api/errors', ['KubewrightError']],
    [moduleFrom(path, spoke.from), [`${spoke.className} as ${local(spoke)}`]],
    [moduleFrom(path, hub.from), [`${hub.className} as ${local(hub)}`]],
  ]);
  const [up, down] = [['ConvertTo'], ['ConvertFrom']].map((names) => go.methods(spoke, names)) as [
    readonly GoMethod[],
    readonly GoMethod[],
  ];
  const text = `${importLines(imports)}
@Converter({ from: ${local(spoke)}, hub: ${local(hub)} })
export class ${className} implements Converter<${local(spoke)}, ${local(hub)}> {
${method(`up(): ConvertedContent<${local(hub)}>`, { className, names: ['ConvertTo'], methods: up })}
${method(`down(): ConvertedContent<${local(spoke)}>`, { className, names: ['ConvertFrom'], methods: down })}}
`;
  return { className, path, text, ...reported({ className, kind: hub, path, methods: [...up, ...down] }) };
}

/** The Go methods that a method of a class replaces. */
interface Replaced {
  readonly className: string;
  /** The names of the Go methods. */
  readonly names: readonly string[];
  /** The methods in the Go sources, which may be missing. */
  readonly methods: readonly GoMethod[];
}

function method(signature: string, { className, names, methods }: Replaced): string {
  const name = signature.slice(0, signature.indexOf('('));
  const files = [...new Set(methods.map(({ file }) => file))];
  const remedy = files.length === 0 ? 'write this method' : `migrate ${files.join(' and ')}`;
  const message = `${className}.${name} is not migrated; ${remedy}, and remove this error`;
  const quotes =
    methods.length === 0
      ? [`The Go sources have no method ${names.join(', ')}.`]
      : methods.flatMap((each) => [`${each.file}:`, ...goLines(each)]);
  const comment = quotes.map((line) => `    //${line === '' ? '' : ` ${line}`}\n`).join('');
  return `  ${signature} {
${comment}    throw new KubewrightError(
      'NOT_MIGRATED',
      ${quoted(message)},
    );
  }
`;
}

function goLines({ self = '', receiver = '', name, text }: GoMethod): readonly string[] {
  // `GoFunction.text` contains the closing brace only if the function has one line.
  const end = text.includes('\n') ? '\n}' : '';
  const source = `func (${self === '' ? '' : `${self} `}*${receiver}) ${name}${text}${end}`;
  return source.split('\n').map((line) => line.replaceAll('\t', '  ').trimEnd());
}

function reported({
  className,
  kind,
  path,
  methods,
}: {
  readonly className: string;
  readonly kind: MigratedKind;
  readonly path: string;
  readonly methods: readonly GoMethod[];
}): Pick<MigratedWebhook, 'created' | 'task'> {
  const files = [...new Set(methods.map(({ file }) => file))];
  const what = files.length === 0 ? `implement ${className}` : `migrate the code of ${files.join(' and ')}`;
  return {
    created: `${className}, for ${kind.kind}: ${path}`,
    task: `${what} in ${path}; until then, the methods of this class throw NOT_MIGRATED, and the API server rejects the requests`,
  };
}
