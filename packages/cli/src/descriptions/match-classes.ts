import { posix } from 'node:path';
import { type AnyClass, metadataOf } from '@kubewright/api/metadata';
import type { SourceClass, SourceFile } from './source-file.js';

/** A loaded module, and the source from which the module was compiled. */
export interface CompiledModule {
  /** The path of the source, which must be equal to a path in the argument of `describeSources`. */
  readonly source: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

type Sources = ReadonlyMap<string, SourceFile>;

/** The source file and the declaration that belong to a compiled class. */
export interface Match {
  readonly file: SourceFile;
  readonly declared: SourceClass;
}

/**
 * Finds the declarations of compiled classes in the sources: of the classes that the modules export, and of all classes to which these
 * classes refer directly or indirectly. Omits classes without a matching declaration.
 */
export function matchClasses(sources: Sources, modules: Iterable<CompiledModule>): ReadonlyMap<AnyClass, Match> {
  const found = new Map<AnyClass, Match>();
  for (const { source, exports } of modules) {
    const file = sources.get(source);
    for (const value of Object.values(exports)) {
      // A module that only re-exports a class does not declare the class.
      const declared = file !== undefined && isClass(value) ? classIn(file, value) : undefined;
      if (file !== undefined && declared !== undefined) found.set(value as AnyClass, { file, declared });
    }
  }
  const open = [...found];
  for (const [shape, { file }] of open) {
    for (const part of partsOf(shape)) {
      if (found.has(part)) continue;
      const match = locate(part, file, sources);
      if (match === undefined) continue;
      found.set(part, match);
      open.push([part, match]);
    }
  }
  return found;
}

function isClass(value: unknown): value is AnyClass {
  return typeof value === 'function' && value.prototype !== undefined;
}

/**
 * Finds the declaration of a class that the source `from` uses. Searches `from` and its direct and indirect imports. If none of these
 * sources declares the class, searches all sources, and returns the declaration only if there is exactly one.
 */
function locate(shape: AnyClass, from: SourceFile, sources: Sources): Match | undefined {
  const matches = (files: readonly SourceFile[]): readonly Match[] =>
    files.flatMap((file) => {
      const declared = classIn(file, shape);
      return declared === undefined ? [] : [{ file, declared }];
    });
  const [nearest] = matches(reachable(from, sources));
  if (nearest !== undefined) return nearest;
  const [only, second] = matches([...sources.values()]);
  return second === undefined ? only : undefined;
}

/** Returns the declaration in a source that has the name of the class and declares all decorated fields that are not inherited. */
function classIn(file: SourceFile, shape: AnyClass): SourceClass | undefined {
  const inherited = metadataOf(Object.getPrototypeOf(shape) as AnyClass).fields;
  const own = Object.keys(metadataOf(shape).fields).filter((field) => inherited[field] === undefined);
  return file.classes.find(({ name, fields }) => name === shape.name && own.every((field) => fields.has(field)));
}

/**
 * Returns the classes that a class refers to: the classes of spec, status, and top-level fields, the base class, and the classes of fields.
 */
function partsOf(shape: AnyClass): readonly AnyClass[] {
  const { spec, status, resource, fields } = metadataOf(shape);
  const parent = Object.getPrototypeOf(shape) as AnyClass;
  const shapes = Object.values(fields).map(({ node }) => {
    let inner = node;
    while (inner.type === 'list' || inner.type === 'map') inner = inner.item.node;
    return inner.type === 'object' ? inner.shape : undefined;
  });
  const extended = Object.keys(metadataOf(parent).fields).length > 0 ? parent : undefined;
  return [spec, status, resource?.topLevel, extended, ...shapes].filter((part) => part !== undefined);
}

/** Returns a source and its direct and indirect imports, nearest first. */
function reachable(from: SourceFile, sources: Sources): readonly SourceFile[] {
  const reached = new Set([from]);
  for (const { path, imports } of reached) {
    for (const request of imports) {
      const next = resolve(request, path, sources);
      if (next !== undefined) reached.add(next);
    }
  }
  return [...reached];
}

const endings = ['.ts', '.tsx', '.mts', '.cts', '/index.ts'];

function resolve(request: string, from: string, sources: Sources): SourceFile | undefined {
  if (!request.startsWith('.')) return undefined;
  const path = posix.join(posix.dirname(from), request);
  const stem = path.replace(/\.[cm]?[jt]sx?$/, '');
  const found = [path, ...endings.map((ending) => `${stem}${ending}`)].find((candidate) => sources.has(candidate));
  return found === undefined ? undefined : sources.get(found);
}
