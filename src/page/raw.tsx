/** Text as it was on the wire: control characters are shown and do nothing. */
import { inertText } from '../report/inert.ts';

export function Raw({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <figure class="raw">
      <figcaption>{inertText(title)}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach that. */}
      <pre tabIndex={0}>{inertLines(text)}</pre>
    </figure>
  );
}

/** Line ends of the wire stay line ends; a CR is shown, because it matters in SSE. */
export function inertLines(text: string): string {
  return text
    .split('\n')
    .map((line) => inertText(line))
    .join('\n');
}
