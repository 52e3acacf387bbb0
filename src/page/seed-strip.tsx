/**
 * Seeds × findings: one row a distinct finding, one column a seed. A row is one picture with one path, however
 * many seeds there are, and says its seeds in words.
 */
import { plural } from '../report/lines.ts';
import type { FindingGroup, SweepReport } from '../sweep/report.ts';

interface Props {
  readonly sweep: SweepReport;
  readonly active: number;
  onActive(index: number): void;
}

/** Beyond this many rows the list below is the better place. */
const maxRows = 30;
const rowHeight = 14;

export function SeedStrip({ sweep, active, onActive }: Props) {
  const column = new Map(sweep.runs.map(({ seed }, index) => [seed, index]));
  const rows = sweep.findings.slice(0, maxRows);
  const rest = sweep.findings.length - rows.length;
  return (
    <>
      <ul class="strips">
        {rows.map((group, index) => (
          <li key={group.id}>
            <a
              href={`#finding=${group.id}`}
              class={`strip${index === active ? ' chosen' : ''}${group.fails ? ' fails' : ''}`}
              onClick={(event) => {
                event.preventDefault();
                onActive(index);
              }}
            >
              <span class="name">
                {group.fault}{' '}
                <span>
                  {group.outcome} · {group.tool ?? group.method ?? 'stand-alone stream'}
                </span>
              </span>
              <svg
                viewBox={`0 0 ${Math.max(1, column.size)} ${rowHeight}`}
                preserveAspectRatio="none"
                aria-hidden="true"
              >
                <path
                  d={group.seeds
                    .flatMap((seed) => column.get(seed) ?? [])
                    .map((at) => `M${at + 0.08} 0h.84v${rowHeight}h-.84z`)
                    .join('')}
                />
              </svg>
              <span class="of">
                {group.seeds.length}
                <span class="sr"> {inSeeds(group)}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      <p class="hint">
        A column is a seed, {sweep.seeds.from} to {sweep.seeds.to}.
        {rest > 0 ? ` ${plural(rest, 'more finding')} in the list below.` : ''}
      </p>
    </>
  );
}

function inSeeds({ seeds }: FindingGroup): string {
  return `${seeds.length === 1 ? 'seed' : 'seeds'}, from ${seeds[0]} to ${seeds.at(-1)}`;
}
