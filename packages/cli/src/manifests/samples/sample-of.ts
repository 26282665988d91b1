import type { KubeObject } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { RuleValidator } from '@kubewright/api/cel';
import { KubewrightError } from '@kubewright/api/errors';
import { applyDefaults, type FieldError, type StructuralSchema, validate } from '@kubewright/api/schema';
import { bestSample, type ValidatedSample } from './best-sample.js';
import type { Decisions } from './decisions.js';
import { type RuleLiterals, ruleLiterals } from './rule-literals.js';
import { scalarOptions } from './scalar-options.js';
import { sampleValue } from './sample-value.js';

/**
 * Generates an object of a kind that the API server accepts. The object contains the required fields without a default. If the search finds
 * no valid object, for example because of a complex rule, returns the object with the fewest errors. Use `validatedSample` to get the
 * errors.
 *
 * @throws KubewrightError INVALID_KIND if the kind does not have the version
 */
export function sampleOf(crd: CustomResourceDefinition, version: string): KubeObject {
  return validatedSample(crd, version).sample;
}

/** Generates the same object as `sampleOf`, and returns it with the errors that the API server would report. */
export function validatedSample(crd: CustomResourceDefinition, version: string): ValidatedSample<KubeObject> {
  const schema = schemaOf(crd, version);
  const rules = RuleValidator.compile(schema);
  const literals = ruleLiterals(schema);
  return bestSample({
    make: (decisions) => sampleObject({ crd, version, schema, literals, decisions }),
    judge: (sample) => {
      const stored = applyDefaults(sample, schema);
      const errors: readonly FieldError[] = validate(stored, schema);
      return [errors, errors.length > 0 ? [] : (rules?.validate(stored).errors ?? [])];
    },
  });
}

interface SampleInput {
  readonly crd: CustomResourceDefinition;
  readonly version: string;
  readonly schema: StructuralSchema;
  readonly literals: RuleLiterals;
  readonly decisions: Decisions;
}

function sampleObject({ crd, version, schema, literals, decisions }: SampleInput): KubeObject {
  const { group, names } = crd.spec;
  const { apiVersion: _a, kind: _k, metadata = {}, status, ...properties } = schema.properties ?? {};
  const isRequired = (name: string): boolean => schema.required?.includes(name) === true;
  const whole: StructuralSchema = {
    ...schema,
    properties: { ...properties, ...(status !== undefined && isRequired('status') && { status }) },
    required: [...(schema.required ?? []), ...('spec' in properties ? ['spec'] : [])],
  };
  return {
    apiVersion: `${group}/${version}`,
    kind: names.kind,
    metadata: { name: nameOf(crd, version, { metadata, literals, decisions }) },
    ...(sampleValue(whole, { field: '', ordinal: 0, literals, decisions }) as object),
  } as unknown as KubeObject;
}

/**
 * Returns the name `website-sample`, or `website-sample-v1` if several versions are served. Returns another name if the schema requires it.
 */
function nameOf(
  { spec }: CustomResourceDefinition,
  version: string,
  {
    metadata,
    literals,
    decisions,
  }: {
    readonly metadata: StructuralSchema;
    readonly literals: RuleLiterals;
    readonly decisions: Decisions;
  },
): string {
  const several = spec.versions.filter(({ served }) => served).length > 1;
  const name = `${spec.names.kind.toLowerCase()}-sample${several ? `-${version}` : ''}`;
  const schema: StructuralSchema = { type: 'string', ...metadata.properties?.['name'], example: name };
  const named = scalarOptions({ ...schema, minLength: Math.max(1, schema.minLength ?? 0) }, { ordinal: 0, literals });
  const options = named.filter((option) => /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(String(option)));
  return String(decisions.take('metadata.name', 'value', options) ?? name);
}

function schemaOf(crd: CustomResourceDefinition, version: string): StructuralSchema {
  const found = crd.spec.versions.find(({ name }) => name === version);
  if (found !== undefined) return (found.schema?.openAPIV3Schema ?? {}) as StructuralSchema;
  throw new KubewrightError(
    'INVALID_KIND',
    `cannot generate a sample of version ${version} of ${crd.metadata.name}: the versions are ${crd.spec.versions.map(({ name }) => name).join(', ')}`,
  );
}
