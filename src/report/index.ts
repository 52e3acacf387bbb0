/** Every reporter, in the order in which help lists them. */
import { github } from './github.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { ndjson } from './ndjson.ts';
import type { Reporter } from './reporter.ts';
import { terminal } from './terminal.ts';

export const reporters: readonly Reporter[] = [terminal, html, json, junit, github, ndjson];

export function reporterNamed(name: string): Reporter | undefined {
  return reporters.find((reporter) => reporter.name === name);
}
