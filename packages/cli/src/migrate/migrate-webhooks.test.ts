import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrationOf } from './migration-of.js';
import { decoratorOptions, webhookMarkersIn } from './webhook-marker.js';

const PROJECT = `version: "3"
domain: tutorial.kubebuilder.io
projectName: project
repo: tutorial.kubebuilder.io/project
resources:
- api: { crdVersion: v1, namespaced: true }
  controller: false
  domain: tutorial.kubebuilder.io
  group: batch
  kind: CronJob
  path: tutorial.kubebuilder.io/project/api/v1
  version: v1
  webhooks: { conversion: true, defaulting: true, validation: true, spoke: [v2], webhookVersion: v1 }
- api: { crdVersion: v1, namespaced: true }
  domain: tutorial.kubebuilder.io
  group: batch
  kind: CronJob
  path: tutorial.kubebuilder.io/project/api/v2
  version: v2
`;
const version = (name: string, storage: boolean): string => `  - name: ${name}
    served: true
    storage: ${storage}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: { type: object, properties: { schedule: { type: string } } }
`;
const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: cronjobs.batch.tutorial.kubebuilder.io }
spec:
  group: batch.tutorial.kubebuilder.io
  names: { kind: CronJob, listKind: CronJobList, plural: cronjobs, singular: cronjob }
  scope: Namespaced
  versions:
${version('v1', true)}${version('v2', false)}`;
const WEBHOOK = `package v1

// +kubebuilder:webhook:path=/mutate-batch-tutorial-kubebuilder-io-v1-cronjob,mutating=true,failurePolicy=fail,sideEffects=None,groups=batch.tutorial.kubebuilder.io,resources=cronjobs,verbs=create;update,versions=v1,name=mcronjob-v1.kb.io,admissionReviewVersions=v1

type CronJobCustomDefaulter struct{}

// Default implements webhook.CustomDefaulter.
func (d *CronJobCustomDefaulter) Default(_ context.Context, cronJob *batchv1.CronJob) error {
	if cronJob.Spec.Suspend == nil {
		cronJob.Spec.Suspend = ptr.To(false)
	}
	return nil
}

// +kubebuilder:webhook:path=/validate-batch-tutorial-kubebuilder-io-v1-cronjob,mutating=false,failurePolicy=ignore,sideEffects=NoneOnDryRun,timeoutSeconds=5,matchPolicy=Exact,groups=batch.tutorial.kubebuilder.io,resources=cronjobs,verbs=create;update;delete,versions=v1,name=vcronjob-v1.kb.io,admissionReviewVersions=v1

type CronJobCustomValidator struct{}

func (v *CronJobCustomValidator) ValidateCreate(_ context.Context, obj *batchv1.CronJob) (admission.Warnings, error) {
	return nil, validateCronJob(obj)
}
func (v *CronJobCustomValidator) ValidateUpdate(_ context.Context, old, obj *batchv1.CronJob) (admission.Warnings, error) {
	return nil, validateCronJob(obj)
}
func (v *CronJobCustomValidator) ValidateDelete(_ context.Context, obj *batchv1.CronJob) (admission.Warnings, error) { return nil, nil }
`;
const CONVERSION = `package v2

func (src *CronJob) ConvertTo(dstRaw conversion.Hub) error {
	dst := dstRaw.(*batchv1.CronJob)

	dst.Spec.Schedule = src.Spec.Schedule
	return nil
}
func (dst *CronJob) ConvertFrom(srcRaw conversion.Hub) error {
	return nil
}
`;

const migration = migrationOf({
  project: { text: PROJECT, path: 'PROJECT' },
  definitions: new Map([['config/crd/bases/cronjobs.yaml', CRD]]),
  externalDefinitions: new Map(),
  goSources: new Map([
    ['cmd/main.go', 'package main\n'],
    ['internal/webhook/v1/cronjob_webhook.go', WEBHOOK],
    ['api/v2/cronjob_conversion.go', CONVERSION],
  ]),
});
const file = (path: string): string => migration.files.get(path) ?? assert.fail(`${path} was not created`);

test('kubewright migrate quotes the Go source of a defaulter in a method that throws NOT_MIGRATED', () => {
  assert.equal(
    file('src/webhooks/cron-job-defaulter.ts'),
    `import { Defaulter } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { CronJob } from '../api/v1/cron-job.js';

@Defaulter({ for: CronJob })
export class CronJobDefaulter implements Defaulter<CronJob> {
  default(): void {
    // internal/webhook/v1/cronjob_webhook.go:
    // func (d *CronJobCustomDefaulter) Default(_ context.Context, cronJob *batchv1.CronJob) error {
    //   if cronJob.Spec.Suspend == nil {
    //     cronJob.Spec.Suspend = ptr.To(false)
    //   }
    //   return nil
    // }
    throw new KubewrightError(
      'NOT_MIGRATED',
      'CronJobDefaulter.default is not migrated; migrate internal/webhook/v1/cronjob_webhook.go, and remove this error',
    );
  }
}
`,
  );
});

test('kubewright migrate keeps the options of a marker that differ from the defaults', () => {
  const text = file('src/webhooks/cron-job-validator.ts');
  assert.match(text, /^import \{ Validator, type Violation \} from '@kubewright\/api';\n/);
  assert.ok(
    text.includes(`@Validator({
  for: CronJob,
  operations: ['create', 'update', 'delete'],
  failurePolicy: 'Ignore',
  sideEffects: 'NoneOnDryRun',
  timeoutSeconds: 5,
  matchPolicy: 'Exact',
})`),
    text,
  );
  assert.deepEqual(
    [...text.matchAll(/ {4}\/\/ func .* (Validate\w+)\(/g)].map(([, name]) => name),
    ['ValidateCreate', 'ValidateUpdate', 'ValidateDelete'],
  );
  const [marker] = webhookMarkersIn(
    '// +kubebuilder:webhook:path=/a,mutating=true,verbs=create;delete,reinvocationPolicy=IfNeeded',
  );
  assert.deepEqual(decoratorOptions(marker ?? assert.fail('there is no marker')), {
    operations: ['create'],
    reinvocationPolicy: 'IfNeeded',
  });
});

test('kubewright migrate creates a converter for each version with ConvertTo, and adds all webhooks to the program', () => {
  const text = file('src/webhooks/cron-job-converter.ts');
  assert.match(text, /\n@Converter\(\{ from: CronJobV2, hub: CronJobV1 \}\)\n/);
  assert.match(text, / {2}up\(\): ConvertedContent<CronJobV1> \{\n {4}\/\/ api\/v2\/cronjob_conversion\.go:\n/);
  assert.match(text, / {4}\/\/ {3}dst := dstRaw\.\(\*batchv1\.CronJob\)\n {4}\/\/\n/);
  assert.match(text, / {2}down\(\): ConvertedContent<CronJobV2> \{\n/);
  const main = file('src/main.ts');
  for (const name of ['Defaulter', 'Validator', 'Converter']) {
    assert.match(main, new RegExp(`\\nmanager\\.add\\(CronJob${name}\\);\\n`));
  }
  assert.ok(migration.created.includes('CronJobConverter, for CronJob: src/webhooks/cron-job-converter.ts'));
  assert.ok(
    migration.tasks.includes(
      'migrate the code of api/v2/cronjob_conversion.go in src/webhooks/cron-job-converter.ts; until then, the methods of this class throw NOT_MIGRATED, and the API server rejects the requests',
    ),
  );
});
