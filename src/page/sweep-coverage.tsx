/** What the seeds reached: fault × seam × channel × revision. */
import type { SweepReport } from '../sweep/report.ts';

export function SweepCoverage({ sweep }: { readonly sweep: SweepReport }) {
  const { cells, idle } = sweep.coverage;
  return (
    <section class="matrix" aria-labelledby="coverage-title">
      <h2 id="coverage-title">Coverage</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach that. */}
      <section class="scroll" tabIndex={0} aria-label="Coverage, table">
        <table>
          <thead>
            <tr>
              {['Fault', 'seam', 'channel', 'revision', 'armed', 'applied', 'detected', 'false alarms'].map(
                (name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {cells.map((cell) => (
              <tr key={`${cell.fault} ${cell.seam} ${cell.channel} ${cell.revision}`}>
                <th scope="row">{cell.fault}</th>
                <td class="applied">{cell.seam ?? '–'}</td>
                <td class="applied">{cell.channel}</td>
                <td class="applied">{cell.revision ?? '–'}</td>
                <td class="applied">{cell.armed}</td>
                <td class="applied">{cell.applied}</td>
                <td class={ratioClass(cell.detected, cell.detectable)}>
                  {ratio(cell.detected, cell.detectable)}
                </td>
                <td class={cell.falseAlarms > 0 ? 'figure-cell bad' : 'figure-cell'}>
                  {ratio(cell.falseAlarms, cell.controls)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {idle.length > 0 && <p class="hint">No seed armed: {idle.join(', ')}.</p>}
    </section>
  );
}

function ratio(part: number, total: number): string {
  return total === 0 ? '·' : `${part} of ${total}`;
}

function ratioClass(part: number, total: number): string {
  if (total === 0) return 'figure-cell';
  return part === total ? 'figure-cell good' : 'figure-cell bad';
}
