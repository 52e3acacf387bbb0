/** Fault × outcome: how often each break ended how. A cell leads to its findings. */
import type { PageData } from '../report/page-data.ts';
import type { Outcome } from '../watcher/report.ts';
import { type Choice, hashOf } from './address.ts';
import { cellOf, occurring, worstFirst } from './order.ts';

interface Props {
  readonly data: PageData;
  readonly choice: Choice;
  /** A cell was followed: the findings should come into view. */
  onFollow(fault: string, outcome: Outcome): void;
}

export function Matrix({ data, choice, onFollow }: Props) {
  const { report } = data;
  const outcomes = occurring(report.findings);
  const rows = faultsOf(data);
  if (rows.length === 0) return null;
  const idle = report.faults.filter(({ fault }) => !rows.includes(fault)).map(({ fault }) => fault);
  return (
    <section class="matrix" aria-labelledby="matrix-title">
      <h2 id="matrix-title">Faults and outcomes</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach that. */}
      <section class="scroll" tabIndex={0} aria-label="Faults and outcomes, table">
        <table>
          <thead>
            <tr>
              <th scope="col">Fault</th>
              <th scope="col">applied</th>
              {outcomes.map((outcome) => (
                <th key={outcome} scope="col">
                  {outcome}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((fault) => (
              <tr key={fault}>
                <th scope="row">{fault}</th>
                <td class="applied">{appliedOf(data, fault)}</td>
                {outcomes.map((outcome) => {
                  const { findings, worst } = cellOf(report.findings, fault, outcome);
                  const chosen = choice.fault === fault && choice.outcome === outcome;
                  if (findings === 0) return <td key={outcome} class="zero" />;
                  return (
                    <td key={outcome}>
                      <a
                        class={`cell ${worst}${chosen ? ' chosen' : ''}`}
                        href={hashOf({ fault, outcome })}
                        aria-label={`${findings} of ${fault}: ${outcome}, ${worst}`}
                        onClick={(event) => {
                          event.preventDefault();
                          onFollow(fault, outcome);
                        }}
                      >
                        {findings}
                      </a>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {idle.length > 0 && <p class="hint">Nothing came of: {idle.join(', ')}.</p>}
    </section>
  );
}

/** Faults that came to something, the one with the worst finding first. */
function faultsOf({ report }: PageData): readonly string[] {
  const found = worstFirst(report.findings).map(({ fault }) => fault);
  const applied = report.faults.filter((row) => row.applied > 0).map(({ fault }) => fault);
  return [...new Set([...found, ...applied])];
}

function appliedOf({ report }: PageData, fault: string): string {
  const row = report.faults.find((one) => one.fault === fault);
  return row === undefined ? '' : `${row.applied} of ${row.armed}${row.control ? ', control' : ''}`;
}
