import type { Descriptions } from '@kubewright/api/metadata';
import { forgottenFields } from './forgotten-fields.js';
import { type CompiledModule, matchClasses } from './match-classes.js';
import { readSource, type SourceText } from './source-file.js';

/** The descriptions in the comments of sources, for the classes compiled from them. */
export interface SourceDescriptions {
  /**
   * Returns the descriptions of the classes that modules export, and of the classes to which these classes refer. An exported class is
   * matched by its module and its name. Another class is matched by its name within the source that uses the class and the imports of that
   * source. If several sources have a class with this name, the class with the same fields matches.
   */
  of(modules: Iterable<CompiledModule>): Descriptions;
  /** Returns the fields of these classes that have no decorator of `Field`, one sentence per field. */
  forgottenFields(modules: Iterable<CompiledModule>): readonly string[];
}

/**
 * Reads the doc comments of classes and fields. Sources that do not parse have no descriptions.
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
