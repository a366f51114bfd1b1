import { describe, expect, it } from 'vitest'
import { createFindings, finding } from './findings.ts'
import type { Finding } from './findings.ts'

describe('findings', () => {
  const start = () => {
    const clock = { now: 1000 }
    const changes: string[] = []
    const findings = createFindings({
      now: () => clock.now,
      changed: (found: Finding, state) => changes.push(`${state} ${found.id}`),
    })
    return { clock, changes, findings }
  }

  it('are known since they were told first, also in other words', () => {
    const { clock, changes, findings } = start()
    findings.tell(finding('damage', 'One part.'))
    clock.now = 2000
    findings.tell(finding('damage', 'Two parts.'))
    expect(findings.current()).toEqual([{ id: 'damage', message: 'Two parts.', since: 1000 }])
    findings.clear('damage')
    findings.clear('damage')
    expect(findings.current()).toEqual([])
    findings.tell(finding('damage', 'Again.'))
    expect(findings.current()).toEqual([{ id: 'damage', message: 'Again.', since: 2000 }])
    expect(changes).toEqual(['new damage', 'over damage', 'new damage'])
  })

  it('are looked for when the list is read', () => {
    const { clock, changes, findings } = start()
    let full: string | null = 'first'
    findings.watch(() => (full === null ? null : finding(full, 'The disk is full.')))
    expect(findings.current()).toMatchObject([{ id: 'first', since: 1000 }])
    clock.now = 3000
    expect(findings.current()).toMatchObject([{ id: 'first', since: 1000 }])
    full = 'second'
    expect(findings.current()).toMatchObject([{ id: 'second', since: 3000 }])
    full = null
    expect(findings.current()).toEqual([])
    expect(changes).toEqual(['new first', 'over first', 'new second', 'over second'])
  })

  it('of several organisations are known apart, each since it was told first', () => {
    const { clock, changes, findings } = start()
    const behind = (organizationId: number, message = '') => ({ ...finding('behind', message), organizationId })
    let found = [behind(1)]
    findings.watchAll(() => found)
    expect(findings.current()).toMatchObject([{ organizationId: 1, since: 1000 }])
    clock.now = 2000
    found = [behind(2), behind(1, 'More.')]
    expect(findings.current()).toMatchObject([
      { organizationId: 2, since: 2000 },
      { organizationId: 1, since: 1000, message: 'More.' },
    ])
    found = []
    expect(findings.current()).toEqual([])
    expect(changes).toEqual(['new behind', 'new behind', 'over behind', 'over behind'])
  })
})
