import { importLines } from './import-lines.js';

/** A version of a kind in a converter. */
export interface ConvertedVersion {
  /** The name of the version: 'v1'. */
  readonly version: string;
  /** The class of the version. `from` is the module specifier in the import of this class. */
  readonly className: string;
  readonly from: string;
}

/** The options of a converter skeleton. */
export interface ConverterSkeletonOptions {
  readonly className: string;
  /** The name of the kind. */
  readonly kind: string;
  readonly spoke: ConvertedVersion;
  readonly hub: ConvertedVersion;
}

/** Returns the source of a converter between two versions with the same fields: both directions copy all fields. */
export function converterSkeleton({ className, kind, spoke, hub }: ConverterSkeletonOptions): string {
  const isSame = spoke.className === hub.className;
  const [low, high] = [spoke, hub].map((each) =>
    isSame ? `${each.className}${pascal(each.version)}` : each.className,
  );
  const named = ({ className: name }: ConvertedVersion, local: string | undefined): string =>
    local === name ? name : `${name} as ${local}`;
  const imports = new Map([
    ['@kubewright/api', ['type ConvertedContent', 'Converter']],
    [spoke.from, [named(spoke, low)]],
  ]);
  imports.set(hub.from, [...(imports.get(hub.from) ?? []), named(hub, high)]);
  return `${importLines(imports)}
/**
 * Converts between ${spoke.version} and ${hub.version} of ${kind}. Both methods receive a frozen object, and return all fields except
 * apiVersion, kind, and metadata.
 */
@Converter({ from: ${low}, hub: ${high} })
export class ${className} implements Converter<${low}, ${high}> {
  /** Converts an object from ${spoke.version} to ${hub.version}. */
  up({ apiVersion: _version, kind: _kind, metadata: _metadata, ...content }: ${low}): ConvertedContent<${high}> {
    return content;
  }

  /** Converts an object from ${hub.version} to ${spoke.version}. */
  down({ apiVersion: _version, kind: _kind, metadata: _metadata, ...content }: ${high}): ConvertedContent<${low}> {
    return content;
  }
}
`;
}

/** Returns the source of a test that verifies that an object does not change when it is converted to the other version and back. */
export function converterSkeletonTest(
  { className, kind, spoke, hub }: ConverterSkeletonOptions,
  module: string,
): string {
  const imports = new Map([
    ['@kubewright/testing', ['testConversion']],
    [`./${module}.js`, [className]],
  ]);
  return `import { test } from 'node:test';
${importLines(imports)}
test('a ${kind} does not change when it is converted between ${spoke.version} and ${hub.version} and back', async () => {
  await testConversion(${className});
});
`;
}

function pascal(version: string): string {
  return `${version[0]?.toUpperCase() ?? ''}${version.slice(1)}`;
}
