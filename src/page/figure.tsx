/** A count out of a total, with its bar. */
interface Props {
  readonly name: string;
  readonly part: number;
  readonly total: number;
  readonly of: string;
  readonly tone: string;
}

export function Figure({ name, part, total, of, tone }: Props) {
  const share = total === 0 ? 0 : (part / total) * 100;
  return (
    <div class={`figure ${total === 0 ? 'none' : tone}`}>
      <p class="name">{name}</p>
      <p class="value">
        <b>{part}</b> of {total} {of}
      </p>
      <div class="bar" aria-hidden="true">
        <span style={{ width: `${share}%` }} />
      </div>
    </div>
  );
}
