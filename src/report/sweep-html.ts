/**
 * The page of a sweep: how much the seeds reached and noticed, each way to fail once with the seeds that show
 * it, and, where its journal is at hand, the picture of its example.
 */
import type { SweepReport } from '../sweep/report.ts';
import { htmlDocument, wordsFor } from './html.ts';
import type { SweepData } from './page-data.ts';
import type { Reporter } from './reporter.ts';
import { sweepMeaning } from './sweep-reading.ts';
import { sweepTerminal } from './sweep-terminal.ts';

/** Journals that the page holds: of the worst ways to fail, so that it stays a page. */
const maxDrawn = 12;

export const sweepHtml: Reporter<SweepReport> = {
  name: 'html',
  summary: 'one page: seeds and findings, and the picture of each way to fail',
  extension: 'html',
  render(report, { drawing }) {
    if (drawing === undefined)
      throw new Error('the html reporter needs the histories and the page to draw on');
    const { history, ...parts } = drawing();
    const wanted = new Set(report.findings.slice(0, maxDrawn).map(({ seeds }) => seeds[0]!));
    const histories = [...wanted].map((seed) => ({ seed, facts: history(seed) }));
    const drawn = histories.filter(({ facts }) => facts.length > 0);
    const data: SweepData = {
      sweep: report,
      meaning: sweepMeaning(report),
      drawn: drawn.map(({ seed }) => seed),
      ...wordsFor(report.findings.map(({ fault }) => fault)),
    };
    return htmlDocument({
      title: `mcp-chaos: ${report.profile}, seeds ${report.seeds.from} to ${report.seeds.to}`,
      plain: sweepTerminal.render(report, { colour: false }),
      blobs: {
        sweep: JSON.stringify(data),
        ...Object.fromEntries(drawn.map(({ seed, facts }) => [`history-${seed}`, JSON.stringify(facts)])),
      },
      connect: "'none'",
      ...parts,
    });
  },
};
