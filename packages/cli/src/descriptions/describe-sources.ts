import type { Descriptions } from '@kubewright/api/metadata';
import { forgottenFields } from './forgotten-fields.js';
import { type CompiledModule, matchClasses } from './match-classes.js';
import { readSource, type SourceText } from './source-file.js';

/** The doc comments of source files, which become the descriptions of kinds and fields in CustomResourceDefinitions. */
export interface SourceDescriptions {
  /**
   * Returns the descriptions of the exported classes of compiled modules, and of all classes that their fields refer to. Finds the source
   * of an exported class by the module and the class name. Finds the source of any other class by the class name, first in the source that
   * refers to the class and in its imports. Among several classes with this name, the class with the same fields matches.
   */
  of(modules: Iterable<CompiledModule>): Descriptions;
  /** Returns one sentence for each field of these classes that has no `@Field` decorator and therefore is missing from the schema. */
  forgottenFields(modules: Iterable<CompiledModule>): readonly string[];
}

/**
 * Reads the doc comments of classes and fields. Ignores sources that cannot be parsed.
 *
 * @example
 * const sources = describeSources([{ path: 'src/api/v1/disk.ts', text }]);
 * const exports = await import('./dist/api/v1/disk.js');
 * generateCrds([exports.Disk], { descriptions: sources.of([{ source: 'src/api/v1/disk.ts', exports }]) });
 */
export function describeSources(files: readonly SourceText[]): SourceDescriptions {
  const sources = new Map(files.map((file) => [file.path, readSource(file)]));
  return {
    of: (modules) => {
      const declared = matchClasses(sources, modules);
      return (shape, field) => {
        const found = declared.get(shape)?.declared;
        return field === undefined ? found?.description : found?.fields.get(field);
      };
    },
    forgottenFields: (modules) => forgottenFields(matchClasses(sources, modules)),
  };
}
