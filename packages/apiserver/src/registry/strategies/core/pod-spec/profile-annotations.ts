import { deepEqual } from '@kubewright/api/patch';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { DraftObject, JsonDraft } from '../../../objects/api-object.js';
import { madeAt, nameTable, objectAt, objectsAt, stringAt } from '../../../objects/json-object.js';
import { appArmorErrors } from './security-context-rules.js';
import { descendingPathErrors } from './value-rules.js';

/** The prefix of the deprecated annotation with the AppArmor profile of a container. The name of the container follows. */
export const appArmorAnnotation = 'container.apparmor.security.beta.kubernetes.io/';
/** The prefix of the deprecated annotation with the seccomp profile of a container. The name of the container follows. */
export const seccompAnnotation = 'container.seccomp.security.alpha.kubernetes.io/';
/** The deprecated annotation with the seccomp profile of a Pod. */
export const seccompPodAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';

const appArmorWarning = 'deprecated since v1.30; use the "appArmorProfile" field instead';
const seccompWarning = 'non-functional in v1.27+; use the "seccompProfile" field instead';
const local = 'localhost/';

/** Returns the errors of the annotations with seccomp and AppArmor profiles. */
export function profileAnnotationErrors(annotations: JsonDraft, spec: JsonDraft, path: string): readonly FieldError[] {
  const names = new Set(containersOf(spec).map(({ container }) => container['name']));
  return Object.entries(annotations).flatMap(([key, value]) => {
    const profile = String(value);
    if (key === seccompPodAnnotation || key.startsWith(seccompAnnotation)) {
      return seccompErrors(profile, `${path}.${key}`);
    }
    if (!key.startsWith(appArmorAnnotation)) return [];
    const [at, name] = [`${path}[${key}]`, key.slice(appArmorAnnotation.length)];
    const isKnown = ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith(local);
    const why = `invalid AppArmor profile name: ${JSON.stringify(profile)}`;
    return [
      ...(names.has(name) ? [] : [fieldErrors.invalid(at, name, 'container not found')]),
      ...(isKnown ? [] : [fieldErrors.invalid(at, profile, why)]),
    ];
  });
}

function seccompErrors(profile: string, path: string): readonly FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return [];
  if (!profile.startsWith(local)) return [fieldErrors.invalid(path, profile, 'must be a valid seccomp profile')];
  return descendingPathErrors(profile.slice(local.length), path);
}

/** Returns the errors of a new Pod, or of a Pod template, whose annotations contradict the profiles in the fields at `path`. */
export function profileMatchErrors(metadata: JsonDraft, spec: JsonDraft, path: string): readonly FieldError[] {
  const annotations = objectAt(metadata, 'annotations');
  const podProfile = profileOf(spec, 'appArmorProfile');
  const seccompOf = (owner: JsonDraft, at: string, key: string): readonly FieldError[] =>
    mismatch(annotations[key], profileOf(owner, 'seccompProfile'), `${at}.securityContext.seccompProfile`);
  const containers = containersOf(spec);
  return [
    ...seccompOf(spec, path, seccompPodAnnotation),
    ...containers.flatMap(({ container, at }) =>
      seccompOf(container, path + at, seccompAnnotation + nameOf(container)),
    ),
    ...containers.flatMap(({ container, at }) => {
      if (stringAt(spec, 'os', 'name') === 'windows') return [];
      const profile = profileOf(container, 'appArmorProfile') ?? podProfile;
      const annotation = annotations[appArmorAnnotation + nameOf(container)];
      return mismatch(annotation, profile, `${path}${at}.securityContext.appArmorProfile`);
    }),
  ];
}

function mismatch(annotation: unknown, profile: JsonDraft | undefined, path: string): readonly FieldError[] {
  if (typeof annotation !== 'string' || profile === undefined) return [];
  const kind = path.endsWith('seccompProfile') ? 'seccomp' : 'apparmor';
  const values = nameTable({
    Unconfined: ['unconfined'],
    RuntimeDefault: kind === 'seccomp' ? ['runtime/default', 'docker/default'] : ['runtime/default'],
  });
  const type = stringAt(profile, 'type');
  const differs = (field: string, what: string): readonly FieldError[] => [
    fieldErrors.forbidden(`${path}.${field}`, `${kind} ${what} in annotation and field must match`),
  ];
  if (type !== 'Localhost') return values[type]?.includes(annotation) === false ? differs('type', 'type') : [];
  if (!annotation.startsWith(local)) return differs('type', 'type');
  const isSame = annotation.slice(local.length) === profile['localhostProfile'];
  return isSame ? [] : differs('localhostProfile', 'profile');
}

/**
 * Returns the warnings about annotations with profiles in a Pod or a Pod template. `prefix` is empty for a Pod, whose warnings about
 * AppArmor come from `applyAppArmorAnnotations`.
 */
export function profileAnnotationWarnings(spec: JsonDraft, metadata: JsonDraft, prefix: string): readonly string[] {
  const annotations = objectAt(metadata, 'annotations');
  const warn = (key: string, why: string): readonly string[] =>
    key in annotations ? [`${prefix}metadata.annotations[${key}]: ${why}`] : [];
  const podProfile = profileOf(spec, 'appArmorProfile');
  return [
    ...(profileOf(spec, 'seccompProfile') === undefined ? warn(seccompPodAnnotation, seccompWarning) : []),
    ...containersOf(spec).flatMap(({ container }) => {
      const [seccompKey, key] = [seccompAnnotation, appArmorAnnotation].map((start) => start + nameOf(container));
      const seccomp = profileOf(container, 'seccompProfile') === undefined ? warn(`${seccompKey}`, seccompWarning) : [];
      if (prefix === '' || profileOf(container, 'appArmorProfile') !== undefined) return seccomp;
      const isSame = podProfile !== undefined && deepEqual(podProfile, annotatedProfile(annotations[`${key}`]));
      return isSame ? seccomp : [...seccomp, ...warn(`${key}`, appArmorWarning)];
    }),
  ];
}

/**
 * Copies the AppArmor profiles in the annotations of a new Pod to containers without a profile, unless the Pod has the same profile. Adds a
 * warning for each copied or invalid profile. Does not change Pods for Windows.
 */
export function applyAppArmorAnnotations(draft: DraftObject, warnings: string[]): void {
  const spec = objectAt(draft, 'spec');
  if (stringAt(spec, 'os', 'name') === 'windows') return;
  const annotations = objectAt(draft, 'metadata', 'annotations');
  for (const { container } of containersOf(spec)) {
    const key = appArmorAnnotation + nameOf(container);
    const annotation = annotations[key];
    if (annotation === undefined || profileOf(container, 'appArmorProfile') !== undefined) continue;
    const profile = annotatedProfile(annotation);
    const isValid = profile !== undefined && appArmorErrors({ appArmorProfile: profile }, '').length === 0;
    if (isValid && deepEqual(profile, profileOf(spec, 'appArmorProfile'))) continue;
    if (isValid) madeAt(container, 'securityContext')['appArmorProfile'] = profile;
    warnings.push(`metadata.annotations[${key}]: ${appArmorWarning}`);
  }
}

/** Returns the AppArmor profile of an annotation, or undefined if the annotation does not name a profile. */
function annotatedProfile(annotation: unknown): JsonDraft | undefined {
  const text = String(annotation);
  if (text === 'unconfined') return { type: 'Unconfined' };
  if (text === 'runtime/default') return { type: 'RuntimeDefault' };
  if (!text.startsWith(local) || text === local) return undefined;
  return { type: 'Localhost', localhostProfile: text.slice(local.length) };
}

function profileOf(owner: JsonDraft, field: 'appArmorProfile' | 'seccompProfile'): JsonDraft | undefined {
  return objectAt(owner, 'securityContext')[field] as JsonDraft | undefined;
}

function nameOf(container: JsonDraft): string {
  return stringAt(container, 'name');
}

/** Returns all containers with their paths in the spec. */
function containersOf(spec: JsonDraft): readonly { readonly container: JsonDraft; readonly at: string }[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) =>
    objectsAt(spec, field).map((container, index) => ({ container, at: `.${field}[${index}]` })),
  );
}
