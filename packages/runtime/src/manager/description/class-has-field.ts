import type { AnyClass } from '../../controller/class-metadata.js';

/**
 * Whether the objects of a class will have a field, by its source and that of the classes above it: written as a field, set in the
 * constructor, or defined as compilers and bundlers do it. No object is made.
 */
export function classHasField(target: AnyClass, field: string): boolean {
  const written = new RegExp(
    `(?:^|[\\s{};])${field}\\s*=(?!=)|\\bthis\\.${field}\\s*=(?!=)|\\(this,\\s*["']${field}["']`,
    'm',
  );
  for (
    let at: unknown = target;
    typeof at === 'function' && at !== Function.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    if (written.test(Function.prototype.toString.call(at))) return true;
  }
  return false;
}
