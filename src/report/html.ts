/**
 * One file that shows a run: works from disk, asks for nothing from anywhere, and runs no script but its own
 * (the policy in its head names the digest). Report and history are embedded compressed, so nothing that
 * came over the wire is markup; the page puts it in as text.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { faults } from '../faults/index.ts';
import { obligations } from '../watcher/obligations/index.ts';
import type { Report } from '../watcher/report.ts';
import { inertXml } from './inert.ts';
import type { Clause, FaultNote, PageData, PageWords } from './page-data.ts';
import { keptFacts } from './picture/kept-facts.ts';
import { exitMeaning, failures, undecided } from './reading.ts';
import { type Drawing, defineReporter } from './reporter.ts';
import { inOrder } from './stable.ts';
import { terminal } from './terminal.ts';

export const html = defineReporter({
  name: 'html',
  summary: 'one page with the picture of each finding',
  extension: 'html',
  render(report, { drawing }) {
    if (drawing === undefined) throw new Error('the html reporter needs the history and the page to draw on');
    const { history, ...parts } = drawing();
    const all = history();
    const facts = keptFacts(all, [...failures(report), ...undecided(report), ...report.findings]);
    return htmlDocument({
      title: `mcp-chaos: ${report.profile}, seed ${report.seed}`,
      plain: `${terminal.render(report, { colour: false })}`,
      blobs: {
        report: JSON.stringify({ ...pageData(report), leftOut: all.length - facts.length }),
        history: JSON.stringify(facts),
      },
      connect: "'none'",
      ...parts,
    });
  },
});

/** The report with the words that it refers to: clauses and faults, which another version may word otherwise. */
export function pageData(report: Report): PageData {
  const named = [...report.faults.map(({ fault }) => fault), ...report.findings.map(({ fault }) => fault)];
  return { report: inOrder(report), meaning: exitMeaning(report), ...wordsFor(named) };
}

/** Every clause, and the faults of these names. */
export function wordsFor(named: readonly string[]): PageWords {
  return {
    clauses: Object.fromEntries(
      obligations.map(({ slug, statement, source }): [string, Clause] => [
        slug,
        { statement, clause: source.clause, ...(source.url === undefined ? {} : { url: source.url }) },
      ]),
    ),
    faults: Object.fromEntries(
      faults
        .filter(({ name }) => named.includes(name))
        .map(({ name, summary, imitates }): [string, FaultNote] => [name, { summary, imitates }]),
    ),
  };
}

interface Parts extends Omit<Drawing, 'history'> {
  readonly title: string;
  /** For those without scripts. */
  readonly plain: string;
  /** Texts that the page reads, by the id of their element. */
  readonly blobs: Readonly<Record<string, string>>;
  /** `connect-src` of the page's policy. */
  readonly connect: string;
}

export function htmlDocument({ title, plain, blobs, connect, script, style, compress }: Parts): string {
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(style)}'`,
    'img-src data:',
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${inertXml(title)}</title>
<style>${style}</style>
</head>
<body>
<div id="app"><noscript><pre>${plain.split('\n').map(inertXml).join('\n')}</pre></noscript></div>
${Object.entries(blobs)
  .map(([id, text]) => `<script type="application/gzip" id="${id}">${base64(compress(text))}</script>`)
  .join('\n')}
<script>${script}</script>
</body>
</html>
`;
}

/** As a content security policy names a script or a style. */
function digest(text: string): string {
  return `sha256-${base64(sha256(new TextEncoder().encode(text)))}`;
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(binary);
}
