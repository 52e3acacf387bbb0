/** Colours as plain functions; without colour every one is the identity. The shell decides which. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

const identity = (text: string): string => text;
const sgr = (on: number, off: number) => (text: string) =>
  text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`;

export function paint(colour: boolean): Paint {
  if (!colour) return { bold: identity, dim: identity, red: identity, green: identity, yellow: identity };
  return { bold: sgr(1, 22), dim: sgr(2, 22), red: sgr(31, 39), green: sgr(32, 39), yellow: sgr(33, 39) };
}
