import type { AnyClass } from '../../controller/class-metadata.js';

/** Lines that are comments as a whole; a shorter comment is taken for code, which errs on the safe side. */
const COMMENT_LINES = /^\s*(?:\/\/|\/?\*).*$/gm;

/**
 * Whether the objects of a class may have a field, by its source and that of the classes above it; no object is made, since a constructor
 * may do more than it should be asked for here. In doubt it says yes: for a field or an entry of an object of that name, for its name as
 * a text, for a class whose source is not to be had, such as one behind a `Proxy`, and for one that takes over the fields of another
 * object. It says no of what a function elsewhere sets on the object.
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
    // A field, an entry, one in short form, a field without a value, one that is assigned.
    new RegExp(`(?<![\\w$.]|\\b(?:const|let|var)\\s)${field}\\s*[=:](?!=)`),
    new RegExp(`[{,]\\s*${field}\\s*[,}]`),
    new RegExp(`^\\s*${field};`, 'm'),
    new RegExp(`\\bthis\\.${field}\\s*(?:\\?\\?|\\|\\|)?=(?!=)`),
    new RegExp(`(["'\`])${field}\\1`),
    /\bObject\s*\.\s*(?:assign|defineProperties)\(\s*this\b/,
    /\{\s*\[native code\]\s*\}\s*$/,
  ];
}
