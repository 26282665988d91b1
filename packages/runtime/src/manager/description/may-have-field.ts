import type { AnyClass } from '../../metadata/class-metadata.js';

/** Lines that consist of a comment only. Other comments are searched like code, which can only add a permission that is not needed. */
const COMMENT_LINES = /^\s*(?:\/\/|\/?\*).*$/gm;

/**
 * Whether the objects of a class may have a field. Checks the source of the class and of its superclasses, and constructs no object,
 * because a constructor may have side effects.
 *
 * In doubt, returns true:
 * - for a field or an object entry of this name
 * - for the name as a string literal
 * - for a class without readable source, such as a class behind a `Proxy`
 * - for a class that assigns the fields of another object to itself
 *
 * Returns false for a field that a function outside the class sets on the object.
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
    // A field, an entry, a shorthand entry, a field without a value, an assigned field.
    new RegExp(`(?<![\\w$.]|\\b(?:const|let|var)\\s)${field}\\s*[=:](?!=)`),
    new RegExp(`[{,]\\s*${field}\\s*[,}]`),
    new RegExp(`^\\s*${field};`, 'm'),
    new RegExp(`\\bthis\\.${field}\\s*(?:\\?\\?|\\|\\|)?=(?!=)`),
    new RegExp(`(["'\`])${field}\\1`),
    /\bObject\s*\.\s*(?:assign|defineProperties)\(\s*this\b/,
    /\{\s*\[native code\]\s*\}\s*$/,
  ];
}
