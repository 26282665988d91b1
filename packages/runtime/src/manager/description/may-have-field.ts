import type { AnyClass } from '../../metadata/class-metadata.js';

/** Lines that contain only a comment. Other comments are treated like code, which can only result in an unnecessary permission. */
const COMMENT_LINES = /^\s*(?:\/\/|\/?\*).*$/gm;

/**
 * Whether instances of a class may have a field. Searches the source code of the class and its superclasses, because constructing an
 * instance could have side effects.
 *
 * Returns true in these cases, even if the instances may not have the field:
 * - the source contains a field or an object property with this name
 * - the source contains the name as a string literal
 * - the source of the class is not available, for example because the class is behind a `Proxy`
 * - the class assigns the fields of another object to its instances
 *
 * Does not find a field that a function outside the class sets on an instance.
 */
export function mayHaveField(target: AnyClass, field: string): boolean {
  const signs = signsOf(field);
  for (
    let at: unknown = target;
    typeof at === 'function' && at !== Function.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    const source = Function.prototype.toString.call(at).replace(COMMENT_LINES, '');
    if (signs.some((sign) => sign.test(source))) return true;
  }
  return false;
}

function signsOf(field: string): readonly RegExp[] {
  return [
    // Matches a field, a property, a shorthand property, a field without a value, and an assignment to a field.
    new RegExp(`(?<![\\w$.]|\\b(?:const|let|var)\\s)${field}\\s*[=:](?!=)`),
    new RegExp(`[{,]\\s*${field}\\s*[,}]`),
    new RegExp(`^\\s*${field};`, 'm'),
    new RegExp(`\\bthis\\.${field}\\s*(?:\\?\\?|\\|\\|)?=(?!=)`),
    new RegExp(`(["'\`])${field}\\1`),
    /\bObject\s*\.\s*(?:assign|defineProperties)\(\s*this\b/,
    /\{\s*\[native code\]\s*\}\s*$/,
  ];
}
