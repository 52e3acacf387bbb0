/** How coverage and findings grew, seed by seed: where a line is flat, more seeds bring nothing new. */
import type { SweepRun } from '../sweep/report.ts';

const width = 460;
const height = 110;

interface Point {
  readonly seed: number;
  readonly value: number;
}

export function Trend({ runs }: { readonly runs: readonly SweepRun[] }) {
  if (runs.length < 2) return null;
  const detected = cumulativeShare(runs);
  const ways = cumulativeWays(runs);
  const lastNew = ways.findLast((point, index) => index === 0 || point.value > ways[index - 1]!.value);
  return (
    <section class="trend" aria-labelledby="trend-title">
      <h2 id="trend-title">Trend over the seeds</h2>
      <div class="charts">
        <Chart
          title="Detection so far"
          points={detected}
          top={1}
          said={(value) => `${Math.round(value * 100)} %`}
          note={`after all seeds ${Math.round((detected.at(-1)?.value ?? 0) * 100)} %`}
        />
        <Chart
          title="Distinct findings so far"
          points={ways}
          top={Math.max(1, ways.at(-1)?.value ?? 1)}
          said={String}
          note={
            lastNew === undefined || lastNew.value === 0
              ? 'none'
              : `the last new one came with seed ${lastNew.seed}`
          }
        />
      </div>
    </section>
  );
}

interface ChartProps {
  readonly title: string;
  readonly points: readonly Point[];
  readonly top: number;
  readonly note: string;
  said(value: number): string;
}

function Chart({ title, points, top, note, said }: ChartProps) {
  const x = (index: number): number => (index / (points.length - 1)) * width;
  const y = (value: number): number => height - (value / top) * height;
  const path = points
    .map(({ value }, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`)
    .join('');
  const [first] = points;
  const last = points.at(-1)!;
  return (
    <figure class="chart">
      <figcaption>
        <b>{title}</b> {note}
      </figcaption>
      <svg
        viewBox={`-2 -6 ${width + 4} ${height + 12}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${said(first!.value)} after seed ${first!.seed}, ${said(last.value)} after seed ${last.seed}`}
      >
        <path class="grid" d={`M0 0H${width}M0 ${height / 2}H${width}M0 ${height}H${width}`} />
        <path class="area" d={`${path}L${width} ${height}L0 ${height}Z`} />
        <path class="line" d={path} />
      </svg>
      <p class="axis" aria-hidden="true">
        <span>seed {first!.seed}</span>
        <span>0 to {said(top)}</span>
        <span>seed {last.seed}</span>
      </p>
    </figure>
  );
}

function cumulativeShare(runs: readonly SweepRun[]): readonly Point[] {
  let detected = 0;
  let total = 0;
  return runs.map(({ seed, coverage: { detection } }) => {
    detected += detection.detected;
    total += detection.total;
    return { seed, value: total === 0 ? 0 : detected / total };
  });
}

function cumulativeWays(runs: readonly SweepRun[]): readonly Point[] {
  const seen = new Set<string>();
  return runs.map(({ seed, findings }) => {
    for (const id of findings) seen.add(id);
    return { seed, value: seen.size };
  });
}
