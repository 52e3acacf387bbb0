/** `--ui`: the live page beside a run. Without it nothing of this costs anything. */
import { startLivePage } from '../control/live-page.ts';
import type { Fact } from '../history/fact.ts';
import type { Services } from '../runner/services.ts';
import type { Report } from '../watcher/report.ts';
import { pageParts } from './page-parts.ts';
import { say } from './say.ts';

export interface Ui {
  observe(fact: Fact): void;
  /** Everything stands: the page may inject from now on. */
  begin(services: Services): void;
  /** The last word goes out, and the page stays as it is in whatever browser shows it. */
  end(report: Report | undefined): Promise<void>;
}

export async function startUi(wanted: boolean): Promise<Ui> {
  if (!wanted) return { observe: () => {}, begin: () => {}, end: async () => {} };
  const page = await startLivePage(pageParts());
  return {
    observe: page.observe,
    begin(services) {
      page.begin(services);
      say(`mcp-chaos: live at ${page.url}`);
    },
    end: (report) => page.close(report),
  };
}
