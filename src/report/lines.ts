/** Text in 80 columns. */

const pageWidth = 80;

/** `text` in lines, each after the first behind `indent` spaces. Words are not cut, unless one alone is too long. */
export function wrap(text: string, first: string, indent = first.length): string {
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text.split(' ').flatMap((part) => pieces(part, pageWidth - indent))) {
    if (!empty && line.length + 1 + word.length > pageWidth) {
      lines.push(line);
      line = ' '.repeat(indent);
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line.trimEnd()].join('\n');
}

function pieces(word: string, width: number): readonly string[] {
  if (word.length <= width) return [word];
  return [word.slice(0, width), ...pieces(word.slice(width), width)];
}

/** `1 call`, `2 calls`. */
export function plural(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
