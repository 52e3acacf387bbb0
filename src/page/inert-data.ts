/** Every string of a report may come from the wire; made inert once, as it arrives, it can be shown anywhere. */
import { inertText } from '../report/inert.ts';

export function inertData<T>(value: T): T {
  if (typeof value === 'string') return inertText(value) as T;
  if (Array.isArray(value)) return value.map(inertData) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [inertText(key), inertData(inner)]),
  ) as T;
}
