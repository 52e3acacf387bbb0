/** What is chosen stands in the address behind `#`, so that a finding can be linked to. Nothing else is kept. */
import { useEffect, useState } from 'preact/hooks';

export type Choice = Readonly<Partial<Record<ChoiceKey, string | undefined>>>;
type ChoiceKey =
  | 'finding'
  | 'fault'
  | 'outcome'
  | 'verdict'
  | 'level'
  | 'scope'
  | 'session'
  | 'text'
  | 'stream';

export function readChoice(hash: string): Choice {
  return Object.fromEntries(new URLSearchParams(hash.replace(/^#/, ''))) as Choice;
}

export function hashOf(choice: Choice): string {
  const kept = Object.entries(choice).filter(([, value]) => value !== undefined && value !== '');
  return `#${new URLSearchParams(kept as [string, string][]).toString()}`;
}

/** A choice replaces the one before in the browser's history: nobody wants to go back through them one by one. */
export function useChoice(): [Choice, (change: Choice) => void] {
  const [choice, setChoice] = useState(() => readChoice(location.hash));
  useEffect(() => {
    const read = (): void => setChoice(readChoice(location.hash));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return [
    choice,
    (change) => {
      const hash = hashOf({ ...choice, ...change });
      history.replaceState(null, '', hash);
      setChoice(readChoice(hash));
    },
  ];
}
