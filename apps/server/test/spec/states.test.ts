import { ISSUE_LEVELS, ISSUE_PRIORITIES, ISSUE_STATUSES, ISSUE_SUBSTATUSES, serverStatus } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { changeStatus } from '../../src/issues/workflow/status.ts'
import type { StatusBefore, StatusRequest } from '../../src/issues/workflow/status.ts'
import { reopeningBy } from '../../src/issues/ledger/issue-transitions.ts'
import { child, nameOf, readSource, walk } from './source.ts'
import { cell, differences, tableOf } from './spec-tables.ts'
import type { Fact } from './spec-tables.ts'

const BEFORE: StatusBefore = {
  status: 'unresolved',
  substatus: 'new',
  timesSeen: 7,
  newestRelease: 'shop@2',
  dailyPeak: 3,
}
const NOW = 1_800_000_000_000

/** One request of each kind that somebody can make. */
const REQUESTS: Readonly<Record<string, StatusRequest>> = {
  unresolved: { kind: 'unresolved' },
  resolved: { kind: 'resolved' },
  resolvedInNextRelease: { kind: 'resolvedInNextRelease' },
  resolvedInRelease: { kind: 'resolvedInRelease', version: 'latest' },
  archivedForever: { kind: 'archivedForever' },
  archivedUntilEscalating: { kind: 'archivedUntilEscalating' },
  archivedUntil: { kind: 'archivedUntil', events: 10 },
} satisfies { readonly [Kind in StatusRequest['kind']]: Extract<StatusRequest, { kind: Kind }> }

/** Literals of a type alias such as `'ok' | 'behind' | 'full'`. */
const unionOf = (path: string, name: string): string => {
  const values: string[] = []
  walk(readSource(path).program, (node, above) => {
    const inside = above.some(
      (parent) => parent.type === 'TSTypeAliasDeclaration' && nameOf(child(parent, 'id')) === name,
    )
    if (node.type === 'Literal' && inside) values.push(String(node['value']))
  })
  return values.join(' ')
}

describe('docs/spec.md section 4', () => {
  it('has the states of everything that has states', () => {
    const { status, digest } = serverStatus.shape
    const code: Fact[] = [
      ['issue status', ISSUE_STATUSES.join(' ')],
      ['issue substatus', ISSUE_SUBSTATUSES.join(' ')],
      ['issue priority', ISSUE_PRIORITIES.join(' ')],
      ['level', ISSUE_LEVELS.join(' ')],
      ['incident of an alert', unionOf('apps/server/src/alerts/ledger/schema.ts', 'IncidentState')],
      ['message', unionOf('apps/server/src/channels/ledger/schema.ts', 'MessageState')],
      ['ticket', unionOf('apps/server/src/trackers/ledger/schema.ts', 'TicketRowState')],
      ['artifact bundle', unionOf('apps/server/src/artifacts/ledger/schema.ts', 'BundleState')],
      ['server status', status.options.join(' ')],
      ['digest as shown', digest.shape.state.options.join(' ')],
      ['spool pressure', unionOf('apps/server/src/ingest/spool/spool-health.ts', 'SpoolPressure')],
    ]
    const documented = tableOf('states').map((row): Fact => [
      cell(row, 'what'),
      cell(row, 'states').replaceAll('`', ''),
    ])
    expect(differences('states', documented, code)).toEqual([])
  })

  it('says what becomes of an issue that somebody changes', () => {
    const code = Object.entries(REQUESTS).map(([kind, request]): Fact => {
      const { status, substatus, activity } = changeStatus(request, BEFORE, NOW, 1)
      return [kind, `${status} ${substatus ?? '–'} ${activity.type}`]
    })
    const documented = tableOf('status-requests').map((row): Fact => [
      cell(row, 'request'),
      `${cell(row, 'status')} ${cell(row, 'substatus')} ${cell(row, 'activity')}`,
    ])
    expect(differences('status-requests', documented, code)).toEqual([])
  })

  it('says what becomes of an issue that gets an event', () => {
    const rank = (version: string): readonly [number, number] => [Number(version), 0]
    const after = (status: 'unresolved' | 'resolved' | 'ignored', details: object, release: string | null): string => {
      const issue = { status, substatus: null, statusDetails: JSON.stringify(details), timesSeen: 9 }
      const change = reopeningBy(issue, [{ receivedAt: NOW, release }], rank)
      return change === null ? 'stays' : `unresolved ${change.substatus} ${change.activity}`
    }
    const code: Fact[] = [
      ['unresolved', after('unresolved', {}, '2')],
      ['resolved, event received before that', after('resolved', { since: NOW + 1 }, '2')],
      ['resolved', after('resolved', { since: 1 }, '2')],
      ['resolved in a release, event of an older one', after('resolved', { since: 1, inRelease: '3' }, '2')],
      ['resolved in a release, event of it or a newer one', after('resolved', { since: 1, inRelease: '2' }, '2')],
      ['resolved in a release, event without release', after('resolved', { since: 1, inRelease: '3' }, null)],
      [
        'resolved in the next release, event of the current one',
        after('resolved', { since: 1, inNextRelease: true, currentRelease: '2' }, '2'),
      ],
      [
        'resolved in the next release, event of a newer one',
        after('resolved', { since: 1, inNextRelease: true, currentRelease: '2' }, '3'),
      ],
      [
        'resolved in the one that came as the next, event of one between it and the one before',
        after('resolved', { since: 1, inRelease: '9', currentRelease: '2' }, '3'),
      ],
      ['archived forever', after('ignored', { since: 1 }, '2')],
      ['archived until a time that has come', after('ignored', { since: 1, untilTimestamp: NOW }, '2')],
      [
        'archived until so many events, and they came',
        after('ignored', { since: 1, untilEvents: 10, eventsAtStart: 0 }, '2'),
      ],
      [
        'archived until so many events, and they did not come yet',
        after('ignored', { since: 1, untilEvents: 11, eventsAtStart: 0 }, '2'),
      ],
    ]
    const documented = tableOf('arrivals').map((row): Fact => [cell(row, 'the issue was'), cell(row, 'and becomes')])
    expect(differences('arrivals', documented, code)).toEqual([])
  })
})
