import { newId } from '@aparta/browser/new-id.ts';
import { afterEach, expect, test } from 'vitest';
import { forgetPress, handOverPresses, keepPress, unfinishedPress, type Press } from './press.ts';

const laura = { positionId: newId(), formerIds: [] };
const hugo = { positionId: newId(), formerIds: [] };
const press = (amount: number): Press => ({
  id: newId(),
  branchId: 1,
  reference: '24347675834',
  amount,
  method: 'cash',
});
afterEach(() => localStorage.clear());

test('a press is asked about until its end was seen, and only by who made it', () => {
  const [first, second, other] = [press(37.5), press(100), press(5)];
  keepPress(laura, first);
  keepPress(hugo, other);
  keepPress(laura, second);
  expect(unfinishedPress(laura)).toEqual(first);
  expect(unfinishedPress(hugo)).toEqual(other);
  forgetPress(first.id);
  expect(unfinishedPress(laura)).toEqual(second);
  forgetPress(second.id);
  expect(unfinishedPress(laura)).toBeUndefined();
  expect(unfinishedPress(hugo)).toEqual(other);
});

test('a press without an answer is asked about when its person has another role or branch since, and not of others', () => {
  const [first, others] = [press(37.5), press(5)];
  keepPress(laura, first);
  keepPress(hugo, others);
  const manager = { positionId: newId(), formerIds: [newId(), laura.positionId] };
  expect(unfinishedPress(manager)).toEqual(first);
  keepPress(manager, first);
  expect([unfinishedPress(laura), unfinishedPress(manager)]).toEqual([undefined, first]);
  forgetPress(first.id);
  expect([unfinishedPress(manager), unfinishedPress(hugo)]).toEqual([undefined, others]);
});

test('a press that was sent again is the same one, and what is not a press is none', () => {
  const one = press(37.5);
  keepPress(laura, one);
  keepPress(laura, one);
  forgetPress(one.id);
  expect(unfinishedPress(laura)).toBeUndefined();
  localStorage.setItem('mostrador.presses', '[{"positionId":1}]');
  expect(unfinishedPress(laura)).toBeUndefined();
  keepPress(laura, one);
  expect(unfinishedPress(laura)).toEqual(one);
});

test('a press that another version of the counter wrote stays for it, and hides nobody else’s', () => {
  const [mine, next] = [press(37.5), press(100)];
  const theirs = { positionId: hugo.positionId, body: { ...press(5), method: 'voucher' } };
  keepPress(laura, mine);
  const kept = JSON.parse(localStorage.getItem('mostrador.presses') ?? '') as unknown[];
  localStorage.setItem('mostrador.presses', JSON.stringify([...kept, theirs]));
  expect([unfinishedPress(laura), unfinishedPress(hugo)]).toEqual([mine, undefined]);
  keepPress(laura, next);
  forgetPress(mine.id);
  expect(unfinishedPress(laura)).toEqual(next);
  expect(JSON.parse(localStorage.getItem('mostrador.presses') ?? '')).toContainEqual(theirs);
});

test('a hand-over whose end was not seen is kept beside the payments, without the code that opened it', () => {
  const handOver = { id: newId(), purchaseId: 10_004, productName: 'Sala Nórdica' };
  const payment = press(37.5);
  keepPress(laura, payment);
  handOverPresses.keep(laura, handOver);
  expect(handOverPresses.unfinished(laura)).toEqual(handOver);
  expect(handOverPresses.unfinished(hugo)).toBeUndefined();
  handOverPresses.forget(handOver.id);
  expect(handOverPresses.unfinished(laura)).toBeUndefined();
  expect(unfinishedPress(laura)).toEqual(payment);
});
