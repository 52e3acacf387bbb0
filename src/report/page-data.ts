/** What the page is given to show: the contract between the html reporter and the program in the page. */
import type { SweepReport } from '../sweep/report.ts';
import type { Report } from '../watcher/report.ts';

export interface Clause {
  /** The duty, quoted or in close paraphrase. */
  readonly statement: string;
  readonly clause: string;
  readonly url?: string;
}

export interface FaultNote {
  readonly summary: string;
  readonly imitates: string;
}

/** What a report refers to. */
export interface PageWords {
  /** By obligation. */
  readonly clauses: Readonly<Record<string, Clause>>;
  /** By fault. */
  readonly faults: Readonly<Record<string, FaultNote>>;
}

export interface PageData extends PageWords {
  readonly report: Report;
  /** What the exit code says. */
  readonly meaning: string;
  /** Facts of the journal that the page does not hold, because there are too many. */
  readonly leftOut?: number;
}

export interface SweepData extends PageWords {
  readonly sweep: SweepReport;
  readonly meaning: string;
  /** Seeds whose history is in the page. */
  readonly drawn: readonly number[];
}
