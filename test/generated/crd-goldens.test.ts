import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { KindRef } from '@kubewright/api';
import { generateCrds } from '@kubewright/api/crd';
import { parse } from 'yaml';
import { type Difference, differences } from './differences.js';
import { CronJob, DeprecatedCronJob, Job, UnservedCronJob } from './go/cron-job.js';
import { Oneof } from './go/one-of.js';
import {
  Defaulted,
  Enum,
  ExternalDoc,
  ImmutableType,
  RequiredDefaulted,
  TestQuota,
  VersionedResourceBeta1,
  VersionedResourceBeta2,
} from './go/small-kinds.js';

/** A reason for differences from the definition of controller-gen, and the differences that the reason explains. */
interface Reason {
  readonly why: string;
  readonly explains: (difference: Difference) => boolean;
}

const at = (ending: string) => (path: string) => path === ending || path.endsWith(`.${ending}`);
const added = (ending: string, values: readonly unknown[], within?: RegExp) => {
  const there = at(ending);
  return ({ path, before, after }: Difference): boolean =>
    there(path) && before === undefined && values.includes(after) && (within?.test(path) ?? true);
};

const always: readonly Reason[] = [
  {
    why: 'the definition does not contain the name and version of its generator, so an upgrade of the generator does not change the definition',
    explains: ({ path, before, after }) =>
      path.startsWith('metadata.annotations') &&
      JSON.stringify([path, before, after]).includes('controller-gen.kubebuilder.io/version'),
  },
  {
    why: 'every kind has the column Age, which kubectl otherwise shows only for kinds without custom columns',
    explains: ({ path, before }) => path.endsWith('.additionalPrinterColumns') && before === undefined,
  },
];
const lists: Reason = {
  why: 'a list always has a list type: atomic by default, set for enums',
  explains: added('x-kubernetes-list-type', ['atomic', 'set']),
};
const bounds: Reason = {
  why: 'an int64 is limited to the safe integers of JavaScript',
  explains: (difference) =>
    added('minimum', [Number.MIN_SAFE_INTEGER])(difference) || added('maximum', [Number.MAX_SAFE_INTEGER])(difference),
};
const noStatus: Reason = {
  why: 'the status class enables the subresource, so the schema contains the status',
  explains: ({ path, before, after }) =>
    path.endsWith('.properties.status') && before === undefined && JSON.stringify(after) === '{"type":"object"}',
};
const noSpec: Reason = {
  why: 'every kind has a spec, which can be empty',
  explains: ({ path, before, after }) =>
    path.endsWith('.properties.spec') && before === undefined && JSON.stringify(after) === '{"type":"object"}',
};
const defaulted: Reason = {
  why: 'a field with a default is not required, because the server sets defaults before validation',
  explains: ({ path, before, after }) =>
    path.endsWith('.required') && /^\["(?:spec|replicas)"\]$/.test(JSON.stringify(before)) && after === undefined,
};

interface Golden {
  readonly file: string;
  readonly kinds: readonly KindRef[];
  readonly reasons: readonly Reason[];
  /** The expected warnings of `generateCrds`. @default [] */
  readonly warned?: readonly string[];
}

const goldens: readonly Golden[] = [
  { file: 'defaulteds', kinds: [Defaulted], reasons: [bounds, defaulted] },
  { file: 'enums', kinds: [Enum], reasons: [] },
  { file: 'externaldocs', kinds: [ExternalDoc], reasons: [] },
  { file: 'immutabletypes', kinds: [ImmutableType], reasons: [lists] },
  { file: 'jobs', kinds: [Job], reasons: [] },
  { file: 'oneofs', kinds: [Oneof], reasons: [] },
  { file: 'requireddefaulteds', kinds: [RequiredDefaulted], reasons: [defaulted] },
  { file: 'versionedresources', kinds: [VersionedResourceBeta1, VersionedResourceBeta2], reasons: [noStatus] },
  {
    file: 'testquotas',
    kinds: [TestQuota],
    reasons: [
      noSpec,
      {
        why: 'a kind has its desired state in the spec, not in other top-level fields',
        explains: ({ path, after }) => path.endsWith('.properties.test') && after === undefined,
      },
    ],
  },
  {
    file: 'cronjobs',
    kinds: [CronJob, UnservedCronJob, DeprecatedCronJob],
    // The classes do not declare a conversion webhook, so generateCrds reports the fields that v1beta2 lacks.
    warned: [
      'cronjobs.testdata.kubebuilder.io: v1beta2 does not have spec.schedule of v1, spec.startingDeadlineSeconds of v1, ' +
        'spec.concurrencyPolicy of v1, spec.k8sConcurrencyPolicy of v1, spec.suspend of v1, 101 more: without a conversion webhook, ' +
        'these values are lost when a client writes an object or its status as v1beta2; add the fields to v1beta2, or add a class with @Converter',
    ],
    reasons: [
      lists,
      bounds,
      noStatus,
      noSpec,
      {
        why: 'controller-gen does not set the formats int32 and double for int and float64',
        explains: (difference) =>
          added(
            'format',
            ['int32'],
            /(?:secondary|intWithValidations|forbiddenInt|array\.items)\.format$/,
          )(difference) || added('format', ['double'], /float(?:64)?WithValidations\.format$/)(difference),
      },
      {
        why: 'a field with a default is not required, because the server sets defaults before validation; the class omits jobTemplate',
        explains: ({ path, before, after }) => {
          if (!path.endsWith('v1.schema.openAPIV3Schema.properties.spec.required')) return false;
          const removed = (before as string[]).filter((name) => !(after as string[]).includes(name));
          assert.deepEqual(
            (after as string[]).filter((name) => !(before as string[]).includes(name)),
            [],
          );
          return removed.every((name) => name === 'jobTemplate' || /[dD]efaulted/.test(name));
        },
      },
      {
        why: 'if a type and a field both have a bound, the schema contains the tighter bound instead of an allOf',
        explains: ({ path, before, after }) => {
          const [, field, keyword] = /\.(fieldLevel\w+)\.(allOf|minLength|maxLength)$/.exec(path) ?? [];
          if (field === undefined) return false;
          if (keyword === 'allOf') return after === undefined;
          return before === undefined && after === 10;
        },
      },
    ],
  },
];

describe('generateCrds compared with controller-gen', () => {
  for (const { file, kinds, reasons, warned = [] } of goldens) {
    it(`generateCrds generates the definition of controller-gen for ${file}, except for explained differences`, () => {
      const path = fileURLToPath(new URL(`../../generated/go/definitions/${file}.yaml`, import.meta.url));
      const { definitions, warnings } = generateCrds(kinds);
      const found = differences(byVersion(parse(readFileSync(path, 'utf8'))), byVersion(definitions[0]));
      const known = [...always, ...reasons];
      assert.deepEqual(
        found.filter((difference) => !known.some(({ explains }) => explains(difference))),
        [],
      );
      for (const { why, explains } of reasons) assert.ok(found.some(explains), `no difference has this reason: ${why}`);
      assert.deepEqual(warnings, warned);
    });
  }
});

/** Returns the definition with its versions keyed by name, because the order of the versions has no meaning. */
function byVersion(crd: unknown): unknown {
  const { spec, ...others } = crd as { readonly spec: { readonly versions: readonly { readonly name: string }[] } };
  const versions = Object.fromEntries(spec.versions.map((version) => [version.name, version]));
  return { ...others, spec: { ...spec, versions } };
}
