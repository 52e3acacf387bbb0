/** A table for people, as wide as the terminal allows and at least 80 columns. */
import Table from 'cli-table3';

/** The last column takes what the others leave, and wraps. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const width = Math.max(80, Math.min(120, process.stdout.columns ?? 80));
  const widths = headings
    .slice(0, -1)
    .map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]!.length)) + 2);
  const last = width - widths.reduce((sum, one) => sum + one, 0);
  const rendered = new Table({
    head: [...headings],
    colWidths: [...widths, last],
    wordWrap: true,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 1 },
    chars: {
      top: '',
      'top-mid': '',
      'top-left': '',
      'top-right': '',
      bottom: '',
      'bottom-mid': '',
      'bottom-left': '',
      'bottom-right': '',
      left: '',
      'left-mid': '',
      mid: '',
      'mid-mid': '',
      right: '',
      'right-mid': '',
      middle: '',
    },
  });
  rendered.push(...rows.map((row) => [...row]));
  return `${rendered
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}
