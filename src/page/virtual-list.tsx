/**
 * A list of which only what is in view is drawn: a hundred thousand rows cost as much as thirty. One tab
 * stop; the arrow keys, Page Up and Down, Home and End move the active row.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface Props {
  readonly id: string;
  readonly label: string;
  readonly count: number;
  readonly rowHeight: number;
  /** -1 = none. */
  readonly active: number;
  onActive(index: number): void;
  row(index: number): ComponentChildren;
  rowClass?(index: number): string;
}

/** Rows beyond either edge, so that a flick does not show blanks. */
const margin = 8;

export function VirtualList({ id, label, count, rowHeight, active, onActive, row, rowClass }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);

  useEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const element = box.current!;
    if (active < 0) return;
    const from = active * rowHeight;
    if (from < element.scrollTop) element.scrollTop = from;
    else if (from + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = from + rowHeight - element.clientHeight;
  }, [active, rowHeight]);

  const first = Math.max(0, Math.floor(top / rowHeight) - margin);
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + margin);
  const indices = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);

  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(height / rowHeight) - 1);
    const to = moved(event.key, active, count, page);
    if (to === undefined) return;
    event.preventDefault();
    onActive(to);
  };

  return (
    <div
      ref={box}
      id={id}
      class="rows"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={active >= first && active < last ? `${id}-${active}` : undefined}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <div class="rows-all" role="presentation" style={{ height: `${count * rowHeight}px` }}>
        {indices.map((index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys; focus stays on it.
          <div
            key={index}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            aria-setsize={count}
            aria-posinset={index + 1}
            class={`row ${rowClass?.(index) ?? ''}`}
            style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
            onClick={() => onActive(index)}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

function moved(key: string, active: number, count: number, page: number): number | undefined {
  if (count === 0) return undefined;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: count - 1,
  };
  const to = steps[key];
  return to === undefined ? undefined : Math.min(count - 1, Math.max(0, to));
}
