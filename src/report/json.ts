/** The report as a script reads it: field names are a contract, the order of keys is stable. */
import { inertJson } from './inert.ts';
import { defineReporter } from './reporter.ts';
import { inOrder } from './stable.ts';

export const json = defineReporter({
  name: 'json',
  summary: 'everything, for scripts',
  extension: 'json',
  render: (report) => `${inertJson(inOrder(report), 2)}\n`,
});
