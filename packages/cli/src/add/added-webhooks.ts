import { posix } from 'node:path';
import type { AddedClass } from './change-main.js';
import { moduleFrom } from './change-main.js';
import type { ControlledKind } from './controlled-kind.js';
import { converterSkeleton, converterSkeletonTest } from './converter-skeleton.js';
import { placed, type ProjectSources } from './project-sources.js';
import type {
  KindDeclaration,
  ReferredClass,
  WebhookDeclaration,
  WebhookDecorator,
} from './source/kind-declarations.js';
import { otherWebhookName, webhookClass, webhookPath } from './webhook-names.js';
import {
  defaulterSkeleton,
  defaulterSkeletonTest,
  validatorSkeleton,
  validatorSkeletonTest,
} from './webhook-skeletons.js';

/** A webhook to add to a project, and the files of its source and its test. */
export interface AddedWebhook extends AddedClass {
  readonly files: ReadonlyMap<string, string>;
}

/** The kind of a webhook, and a sample for its test. */
export interface AdmissionRequest {
  readonly kind: ControlledKind;
  /** An object of the kind that a server accepts. Without a sample, no test is written. */
  readonly sample: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the source and the test of a defaulter or a validator. */
export function addedAdmission(
  sources: ProjectSources,
  decorator: 'Defaulter' | 'Validator',
  { kind, sample }: AdmissionRequest,
): AddedWebhook {
  const path = placed(sources, webhookPath(kind.kind, decorator));
  const className = webhookClass(kind.kind, decorator);
  const from = kind.from.startsWith('@') ? kind.from : moduleFrom(path, kind.from);
  const common = { className, kindClass: kind.className, from, kind: kind.kind };
  const isDefaulter = decorator === 'Defaulter';
  const files = new Map([[path, isDefaulter ? defaulterSkeleton(common) : validatorSkeleton(common)]]);
  if (sample !== undefined) {
    const test = { ...common, sample, module: posix.basename(path, '.ts') };
    files.set(testPath(path), isDefaulter ? defaulterSkeletonTest(test) : validatorSkeletonTest(test));
  }
  return { className, path, otherName: otherWebhookName(kind.group, kind.kind, decorator), files };
}

/** A version of a kind of the project. */
export interface ProjectVersion {
  readonly version: string;
  readonly className: string;
  /** The path of the source of the class. */
  readonly path: string;
}

/** The versions between which a converter converts. */
export interface ConversionRequest {
  readonly kind: string;
  readonly group: string;
  readonly spoke: ProjectVersion;
  readonly hub: ProjectVersion;
  /** Whether the class name and the path contain the version of the spoke, because the kind has several converters. */
  readonly isOneOfSeveral: boolean;
}

/** Returns the source and the test of a converter. */
export function addedConverter(sources: ProjectSources, request: ConversionRequest): AddedWebhook {
  const { kind, group, spoke, hub, isOneOfSeveral } = request;
  const name = isOneOfSeveral ? `${kind}-${spoke.version}` : kind;
  const path = placed(sources, webhookPath(name, 'Converter'));
  const from = (version: ProjectVersion) => ({ ...version, from: moduleFrom(path, version.path) });
  const skeleton = { className: webhookClass(name, 'Converter'), kind, spoke: from(spoke), hub: from(hub) };
  return {
    className: skeleton.className,
    path,
    otherName: otherWebhookName(group, name, 'Converter'),
    files: new Map([
      [path, converterSkeleton(skeleton)],
      [testPath(path), converterSkeletonTest(skeleton, posix.basename(path, '.ts'))],
    ]),
  };
}

/** Returns the class of a declared version of a kind. */
export function projectVersion({ module, className, version = '' }: KindDeclaration): ProjectVersion {
  return { version, className, path: module.path };
}

/** Returns the first webhook of the project that has the decorator and reviews or converts one of the classes, or undefined. */
export function existingWebhook(
  { webhooks }: ProjectSources,
  decorator: WebhookDecorator,
  classes: readonly ReferredClass[],
): WebhookDeclaration | undefined {
  return webhooks.find(
    ({ decorator: own, for: of }) =>
      own === decorator && classes.some(({ className, from }) => className === of?.className && from === of.from),
  );
}

function testPath(path: string): string {
  return path.replace(/\.ts$/, '.test.ts');
}
