import { expect, it } from 'vitest'
import type { Outcome } from './outcome.ts'
import { Standings } from './standings.ts'

const outcomeOf = (monitor: string, step: Outcome['step'], minute: number): Outcome =>
  ({
    rule: { id: 1, version: 1 },
    minute,
    key: JSON.stringify([monitor]),
    group: [{ name: 'monitor.slug', value: monitor }],
    step,
    reason: 'limit',
    sentence: () => (step === 'quiet' ? '0 > 0 check-ins in 5 minutes' : '1 > 0 check-ins in 5 minutes'),
  }) as unknown as Outcome

it('how a rule stands names the group of which it is said, and one that fires before one that is quiet', () => {
  const standings = new Standings()
  standings.say(outcomeOf('backup', 'quiet', 1), true)
  standings.say(outcomeOf('price-feed', 'still', 1), true)
  standings.say(outcomeOf('sync', 'quiet', 1), true)
  expect(standings.last(1)?.sentence()).toBe('1 > 0 check-ins in 5 minutes, monitor.slug price-feed')
  standings.say(outcomeOf('sync', 'quiet', 2), true)
  expect(standings.last(1)?.sentence()).toBe('0 > 0 check-ins in 5 minutes, monitor.slug sync')
})
