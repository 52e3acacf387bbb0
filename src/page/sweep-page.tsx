/** The page of a sweep: what the seeds reached and found, run by run, and each way to fail once. */
import { useEffect, useState } from 'preact/hooks';
import type { Fact } from '../history/fact.ts';
import { plural } from '../report/lines.ts';
import type { SweepData } from '../report/page-data.ts';
import { type HistoryView, viewHistory } from '../report/picture/history-view.ts';
import { standingOf } from '../report/reading.ts';
import type { FindingGroup } from '../sweep/report.ts';
import { useChoice } from './address.ts';
import { embedded } from './embedded.ts';
import { FindingView } from './finding.tsx';
import { Headline } from './headline.tsx';
import { SeedStrip } from './seed-strip.tsx';
import { SweepCoverage } from './sweep-coverage.tsx';
import { Trend } from './trend.tsx';
import { VirtualList } from './virtual-list.tsx';

export function SweepPage({ data }: { readonly data: SweepData }) {
  const { sweep } = data;
  const [choice, choose] = useChoice();
  const groups = sweep.findings;
  const chosen = groups.findIndex(({ id }) => id === choice.finding);
  const active = chosen < 0 && groups.length > 0 ? 0 : chosen;
  const group = groups[active];
  return (
    <>
      <SweepHeadline data={data} />
      <main>
        <Trend runs={sweep.runs} />
        {groups.length > 0 && (
          <section class="matrix" aria-labelledby="seeds-title">
            <h2 id="seeds-title">Seeds and findings</h2>
            <SeedStrip
              sweep={sweep}
              active={active}
              onActive={(index) => choose({ finding: groups[index]!.id })}
            />
          </section>
        )}
        <section class="findings" aria-labelledby="findings-title">
          <h2 id="findings-title">
            Distinct findings <span class="count">{groups.length}</span>
          </h2>
          {group === undefined ? (
            <p class="hint">Nothing was found.</p>
          ) : (
            <div class="panes">
              <VirtualList
                id="finding"
                label="Distinct findings, what fails first"
                count={groups.length}
                rowHeight={62}
                active={active}
                onActive={(index) => choose({ finding: groups[index]!.id })}
                rowClass={(index) => standingOf(groups[index]!.example)}
                row={(index) => <GroupRow group={groups[index]!} runs={sweep.runs.length} />}
              />
              <Example key={group.id} group={group} data={data} />
            </div>
          )}
        </section>
        <SweepCoverage sweep={sweep} />
      </main>
    </>
  );
}

function SweepHeadline({ data: { sweep, meaning } }: { readonly data: SweepData }) {
  const { seeds, runs } = sweep;
  const failed = runs.filter(({ exitCode }) => exitCode !== 0).length;
  return (
    <Headline
      report={sweep}
      title={meaning}
      seeds={`seeds ${seeds.from} to ${seeds.to}`}
      command={sweep.command.join(' ')}
      counts={[
        seeds.finished === seeds.planned
          ? plural(seeds.finished, 'run')
          : `${seeds.finished} of ${plural(seeds.planned, 'run')}`,
        `${plural(failed, 'run')} failed`,
      ]}
      notes={sweep.notes}
    />
  );
}

function GroupRow({ group, runs }: { readonly group: FindingGroup; readonly runs: number }) {
  const { fault, outcome, method, tool, level, obligation, seeds, fails } = group;
  return (
    <>
      <span class="mark" aria-hidden="true">
        {fails ? '✗' : '·'}
      </span>
      <span class="sr">{fails ? 'fails: ' : ''}</span>
      <span class="what">
        <b>{fault}</b> {outcome}
      </span>
      <span class="where">
        {tool ?? method ?? 'the stand-alone stream'} · {seeds.length} of {plural(runs, 'seed')}
      </span>
      <span class="duty">
        {level} {obligation}
      </span>
    </>
  );
}

const shownSeeds = 40;

/** The finding of its lowest seed, with the picture where that seed's journal is in the page. */
function Example({ group, data }: { readonly group: FindingGroup; readonly data: SweepData }) {
  const seed = group.seeds[0]!;
  const [history, setHistory] = useState<HistoryView | undefined>(undefined);
  useEffect(() => {
    const id = data.drawn.includes(seed) ? embedded<readonly Fact[]>(`history-${seed}`) : Promise.resolve([]);
    void id.then((facts) => setHistory(viewHistory(facts ?? [])));
  }, [data, seed]);
  const { seeds, count } = group;
  return (
    <div>
      <p class="seeds">
        {plural(count, 'finding')} in {plural(seeds.length, 'seed')}: {seeds.slice(0, shownSeeds).join(', ')}
        {seeds.length > shownSeeds ? ` and ${seeds.length - shownSeeds} more` : ''}. Below, that of seed{' '}
        {seed}.
      </p>
      <FindingView finding={group.example} data={data} history={history} facts={history?.facts.length ?? 0} />
    </div>
  );
}
