import { expect, test } from 'vitest';
import { hashText } from '../../src/guard/digest.ts';
import { digestEvent } from '../../src/guard/index.ts';
import { createMemory } from '../../src/guard/memory.ts';

function remembering(capacity: number) {
  const memory = createMemory(capacity);
  const add = (id: string, data = `data ${id}`): void => {
    const [one, other] = [hashText(id), hashText(data)];
    memory.add(one.a, one.b, other.a, other.b);
  };
  const known = (...ids: string[]) => ids.filter((id) => memory.find(id) !== undefined);
  return { memory, add, known };
}

test('remembers the newest events and what each id carried last', () => {
  const { memory, add, known } = remembering(4);
  expect(known('1')).toEqual([]);
  for (const id of ['1', '2', '3', '4', '5']) add(id);
  expect(known('1', '2', '3', '4', '5')).toEqual(['2', '3', '4', '5']);
  expect(memory.digest('5')).toBe(digestEvent('5', 'data 5'));
  add('2', 'other');
  expect(memory.digest('2')).toBe(digestEvent('2', 'other'));
  expect(memory.digest('9')).toBeUndefined();
});

test('forgets what came after an event, and nothing forgotten comes back', () => {
  const { memory, add, known } = remembering(4);
  for (const id of ['1', '2', '3', '4', '5', '6']) add(id);
  memory.forgetAfter('4');
  expect(known('1', '2', '3', '4', '5', '6')).toEqual(['3', '4']);
  add('5', 'again');
  expect(memory.digest('5')).toBe(digestEvent('5', 'again'));
  add('7');
  expect(known('3', '4', '5', '7')).toEqual(['3', '4', '5', '7']);
  add('8');
  expect(known('3', '4', '5', '6', '7', '8')).toEqual(['4', '5', '7', '8']);
  memory.forgetAfter('never seen');
  expect(known('4', '8')).toEqual(['4', '8']);
});
