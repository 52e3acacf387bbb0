/**
 * The sequence diagram: three lanes, one line a step. What a line shows by place and colour it says in its
 * one sentence as well, which is what assistive technology reads. One tab stop; the arrow keys move, Enter opens
 * the bytes behind a step.
 */
import { useRef, useState } from 'preact/hooks';
import type { Picture } from '../report/picture/picture.ts';
import type { Arrow, Step } from '../report/picture/step.ts';
import { shortId } from '../report/picture/words.ts';
import { Raw } from './raw.tsx';

export function Diagram({ picture, label }: { readonly picture: Picture; readonly label: string }) {
  const list = useRef<HTMLOListElement>(null);
  const [current, setCurrent] = useState(0);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const { steps, from } = picture;

  const focus = (index: number): void => {
    const at = Math.min(steps.length - 1, Math.max(0, index));
    setCurrent(at);
    list.current?.querySelectorAll<HTMLElement>('.step')[at]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: steps.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    focus(to);
  };
  const toggle = (index: number): void => {
    setCurrent(index);
    const next = new Set(open);
    if (!next.delete(index)) next.add(index);
    setOpen(next);
  };

  return (
    <div class="diagram">
      <div class="lanes" aria-hidden="true">
        <span>Client</span>
        <span>mcp-chaos</span>
        <span>Server</span>
      </div>
      <ol ref={list} aria-label={label} onKeyDown={onKeyDown}>
        {steps.map((step, index) => (
          <li
            key={`${step.seq} ${step.kind}`}
            class={`line ${step.kind} ${step.tone}${step.evidence ? ' evidence' : ''}`}
          >
            <button
              type="button"
              class="step"
              tabIndex={index === current ? 0 : -1}
              aria-expanded={step.raw.length === 0 ? undefined : open.has(index)}
              onFocus={() => setCurrent(index)}
              onClick={() => step.raw.length > 0 && toggle(index)}
            >
              <span class="sr">{spoken(step, from)}</span>
              <span class="time" aria-hidden="true">
                {timeOf(step, from, steps[index - 1])}
              </span>
              <StepBody step={step} />
            </button>
            {open.has(index) && step.raw.map((raw) => <Raw key={raw.title} {...raw} />)}
          </li>
        ))}
      </ol>
      <p class="legend" aria-hidden="true">
        <span>
          <i />
          done by mcp-chaos
        </span>
        <span class="lost">
          <i />
          never reached the client
        </span>
        <span class="rests">
          <i />
          the finding rests on it
        </span>
      </p>
    </div>
  );
}

function spoken({ sentence, at, kind, evidence }: Step, from: number): string {
  const when = kind === 'pause' ? '' : `${Math.round(at - from)} ms: `;
  return `${when}${sentence}${evidence ? ' The finding rests on this.' : ''}`;
}

/** Said where it differs from the line above. */
function timeOf({ at, kind }: Step, from: number, before: Step | undefined): string {
  if (kind === 'pause') return '';
  const text = clock(at - from);
  return before !== undefined && before.kind !== 'pause' && clock(before.at - from) === text ? '' : text;
}

function clock(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function StepBody({ step }: { readonly step: Step }) {
  const { left, right, text, kind } = step;
  if (left === undefined && right === undefined) {
    return (
      <span class={`remark ${kind}`} aria-hidden="true">
        <span>{text}</span>
      </span>
    );
  }
  const across = left !== undefined && right !== undefined;
  return (
    <>
      <span class="half left" aria-hidden="true">
        {left !== undefined && <ArrowLine arrow={left} />}
      </span>
      <span class="half right" aria-hidden="true">
        {right !== undefined && (
          <ArrowLine arrow={right} quiet={across && right.label === '' && right.id === left.id} />
        )}
      </span>
      {step.instead !== undefined && (
        <span class="instead" aria-hidden="true">
          {step.instead}
        </span>
      )}
    </>
  );
}

function ArrowLine({ arrow, quiet = false }: { readonly arrow: Arrow; readonly quiet?: boolean }) {
  return (
    <span class={`arrow to-${arrow.to} ${arrow.tone}${arrow.stops ? ' stops' : ''}`}>
      <span class="label">
        {!quiet && arrow.id !== undefined && <b title={arrow.id}>{shortId(arrow.id)}</b>}
        {arrow.label !== '' && <span title={arrow.label}>{arrow.label}</span>}
      </span>
    </span>
  );
}
