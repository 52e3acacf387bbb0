/**
 * From a run that shows a finding to a case: the command runs again and again with fewer decisions, which are
 * applied as written, until none can be left out; then with simpler parameters. Within a budget.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Case } from '../cases/case.ts';
import { type FirstOf, minimise } from '../cases/minimise.ts';
import { findingLike } from '../cases/replayed.ts';
import { simplify } from '../cases/simplify.ts';
import { distinctOf } from '../sweep/distinct.ts';
import type { Finding, Report } from '../watcher/report.ts';
import { type Launch, runApart } from './apart.ts';
import { saveCase } from './case-files.ts';
import type { Stops } from './workers.ts';

export interface ShrinkOptions {
  readonly launch: Launch;
  /** What the case says of its origin; its decisions are put in place of these. */
  readonly origin: Omit<Case, 'finding' | 'decisions' | 'shows' | 'shrunk'>;
  /** The run that showed the finding. */
  readonly report: Report;
  readonly finding: Finding;
  /** Runs leave their journals here while it lasts. */
  readonly folder: string;
  /** Runs at a time. */
  readonly jobs: number;
  /** No further run begins after this many ms. */
  readonly maxTimeMs: number;
  readonly stops: Stops;
  /** Before each run: how many there were, and how many decisions are left. */
  onRun?(runs: number, left: number): void;
}

export interface Shrunk {
  /** Undefined where no run showed it again. */
  readonly found: Case | undefined;
  readonly runs: number;
  /** How often it showed when all decisions were applied as written: `times` of `runs`. */
  readonly before: { readonly times: number; readonly runs: number };
  /** The budget was spent: fewer decisions might do. */
  readonly cutShort: boolean;
}

type Bare = Case['decisions'][number];

/** So often it must show in a row to count as solid. */
const confirmations = 3;

export async function shrink(options: ShrinkOptions): Promise<Shrunk> {
  const { report, finding, origin } = options;
  const wanted = distinctOf(finding);
  const deadline = performance.now() + options.maxTimeMs;
  const all: readonly Bare[] = report.decisions.map(({ fault, site, params }) => ({ fault, site, params }));
  let runs = 0;
  let cutShort = false;

  /** One run; the finding as it is shown there. */
  const run = async (decisions: readonly Bare[]): Promise<Finding | undefined> => {
    runs += 1;
    const folder = join(options.folder, String(runs));
    options.onRun?.(runs, decisions.length);
    const path = join(folder, 'case.yaml');
    saveCase(caseOf(origin, finding, decisions, { times: 1, runs: 1 }, all.length, 0), path);
    const apart = await runApart(options.launch, ['--case', path], folder, options.stops);
    rmSync(folder, { recursive: true, force: true });
    const shown = apart.report;
    return shown === undefined || shown.void ? undefined : findingLike(shown, wanted);
  };
  const spent = (): boolean => {
    if (performance.now() < deadline && !options.stops.stop.aborted) return false;
    cutShort = true;
    return true;
  };
  /** How often it shows, in so many runs, several at a time. */
  const count = async (decisions: readonly Bare[], of: number): Promise<readonly (Finding | undefined)[]> => {
    const results: (Finding | undefined)[] = [];
    for (let at = 0; at < of && (at === 0 || !spent()); at += options.jobs) {
      const batch = Array.from({ length: Math.min(options.jobs, of - at) }, () => run(decisions));
      results.push(...(await Promise.all(batch)));
    }
    return results;
  };

  const first = await count(all, confirmations);
  const before = { times: first.filter((one) => one !== undefined).length, runs: first.length };
  if (before.times === 0) return { found: undefined, runs, before, cutShort };

  // Delta debugging comes back to the same lists; a steady finding needs no second look.
  const known = new Map<string, Promise<boolean>>();
  const shows = (decisions: readonly Bare[]): Promise<boolean> => {
    const key = JSON.stringify(decisions);
    const again = known.get(key);
    if (again !== undefined) return again;
    const result = showsWithin(decisions, tries);
    known.set(key, result);
    return result;
  };
  // A finding that shows now and then needs several tries before a candidate is given up.
  const tries = before.times === before.runs ? 1 : confirmations;
  const firstOf: FirstOf<Bare> = async (candidates) => {
    for (let at = 0; at < candidates.length; at += options.jobs) {
      if (spent()) return undefined;
      const batch = candidates.slice(at, at + options.jobs);
      const shown = await Promise.all(batch.map(shows));
      const found = shown.indexOf(true);
      if (found >= 0) return at + found;
    }
    return undefined;
  };
  const showsWithin = async (decisions: readonly Bare[], of: number): Promise<boolean> => {
    for (let nth = 0; nth < of; nth += 1) if ((await run(decisions)) !== undefined) return true;
    return false;
  };

  const least = await fewest(all, report, finding, firstOf);
  const simplest = await simplify(least, firstOf);
  const last = await count(simplest, confirmations);
  const shown = last.filter((one) => one !== undefined);
  const steadiness = { times: shown.length, runs: last.length };
  // A candidate was taken for one that fails by an accident: what is known to fail is all of it.
  const found =
    steadiness.times === 0
      ? caseOf(origin, finding, all, before, all.length, runs)
      : caseOf(origin, shown[0]!, simplest, steadiness, all.length, runs);
  return { found, runs, before, cutShort };
}

/**
 * The decision that a finding names is needed in any case. Mostly it does it alone, and one run shows that; else
 * what is looked for is the fewest others beside it.
 */
async function fewest(
  all: readonly Bare[],
  report: Report,
  finding: Finding,
  firstOf: FirstOf<Bare>,
): Promise<readonly Bare[]> {
  const named = report.decisions.find(({ id }) => id === finding.decision);
  const isNamed = ({ fault, site }: Bare): boolean => fault === named?.fault && site === named.site;
  const others = all.filter((one) => !isNamed(one));
  const beside = (some: readonly Bare[]): readonly Bare[] =>
    all.filter((one) => isNamed(one) || some.includes(one));
  if (others.length === 0) return all;
  if ((await firstOf([beside([])])) === 0) return beside([]);
  return beside(await minimise(others, (candidates) => firstOf(candidates.map(beside))));
}

function caseOf(
  origin: ShrinkOptions['origin'],
  finding: Finding,
  decisions: readonly Bare[],
  shows: Case['shows'],
  from: number,
  runs: number,
): Case {
  const { message, level } = finding;
  return {
    format: origin.format,
    finding: { ...distinctOf(finding), level, shown: message.shown, did: message.did },
    profile: origin.profile,
    seed: origin.seed,
    contract: origin.contract,
    ids: origin.ids,
    decisions,
    shows,
    shrunk: { from, runs },
    command: origin.command,
    flags: origin.flags,
    version: origin.version,
  };
}
