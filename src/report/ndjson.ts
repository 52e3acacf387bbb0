/** One finding a line, after one line for the run: for `jq`, log shippers and long runs. */
import { inertJson } from './inert.ts';
import { defineReporter } from './reporter.ts';
import { inOrder } from './stable.ts';

export const ndjson = defineReporter({
  name: 'ndjson',
  summary: 'one line for the run, then one a finding',
  extension: 'ndjson',
  render(report) {
    const { findings, decisions, ...run } = inOrder(report);
    return [
      { type: 'run', ...run },
      ...decisions.map((decision) => ({ type: 'decision', ...decision })),
      ...findings.map((finding) => ({ type: 'finding', ...finding })),
    ]
      .map((line) => `${inertJson(line)}\n`)
      .join('');
  },
});
