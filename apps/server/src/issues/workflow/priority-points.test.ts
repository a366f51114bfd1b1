import { describe, expect, it } from 'vitest'
import { priorityOf, priorityReasons, prioritySentence, type PriorityFacts } from './priority-points.ts'

const NOTHING: PriorityFacts = {
  level: 'error',
  isUnhandled: false,
  users: 1,
  writers: 0,
  isOfNewestRelease: false,
  events: 1,
  usualEvents: 1,
}

const judge = (facts: Partial<PriorityFacts>): [string, string] => {
  const reasons = priorityReasons({ ...NOTHING, ...facts })
  const priority = priorityOf(reasons)
  return [priority, prioritySentence(priority, reasons)]
}

describe('the priority of an issue', () => {
  it.each<[Partial<PriorityFacts>, string, string]>([
    [{}, 'high', 'High: an error (5).'],
    [{ isUnhandled: true }, 'high', 'High: an error (5), nobody handled it (2).'],
    [{ level: 'fatal' }, 'high', 'High: a fatal (6).'],
    [{ level: 'warning', users: 1212 }, 'high', 'High: a warning (2), 1,212 people met it (3).'],
    [{ level: 'warning', users: 212 }, 'medium', 'Medium: a warning (2), 212 people met it (2).'],
    [{ level: 'warning', writers: 1 }, 'medium', 'Medium: a warning (2), somebody wrote about it (2).'],
    [{ level: 'warning', writers: 5 }, 'high', 'High: a warning (2), 5 people wrote about it (3).'],
    [{ level: 'warning' }, 'medium', 'Medium: a warning (2).'],
    [{ level: 'info' }, 'low', 'Low: an info (0).'],
    [{ level: 'info', users: 1000 }, 'medium', 'Medium: 1,000 people met it (3).'],
    [
      { level: 'warning', isOfNewestRelease: true, events: 300, usualEvents: 20 },
      'high',
      'High: a warning (2), it came with the newest release (1), 15 times as often as usual (2).',
    ],
    // A few events are no growth, whatever was before.
    [{ level: 'warning', events: 19, usualEvents: 0 }, 'medium', 'Medium: a warning (2).'],
    // Nor is anything where nothing is usual yet.
    [{ level: 'warning', events: 500, usualEvents: null }, 'medium', 'Medium: a warning (2).'],
  ])('%j is %s', (facts, priority, sentence) => {
    expect(judge(facts)).toEqual([priority, sentence])
  })
})
