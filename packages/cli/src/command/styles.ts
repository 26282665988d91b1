/** Returns a text with the escape codes of a color or font style. */
export type Style = (text: string) => string;

/** The styles for terminal output. */
export interface Styles {
  readonly bold: Style;
  readonly dim: Style;
  readonly red: Style;
  readonly green: Style;
  readonly yellow: Style;
  readonly cyan: Style;
}

const asIs: Style = (text) => text;
const escaped =
  (on: number, off: number): Style =>
  (text) =>
    `\u001B[${on}m${text}\u001B[${off}m`;

/** Styles that return the text unchanged. */
export const plain: Styles = { bold: asIs, dim: asIs, red: asIs, green: asIs, yellow: asIs, cyan: asIs };

/** ANSI styles for a terminal. */
export const styles: Styles = {
  bold: escaped(1, 22),
  dim: escaped(2, 22),
  red: escaped(31, 39),
  green: escaped(32, 39),
  yellow: escaped(33, 39),
  cyan: escaped(36, 39),
};
