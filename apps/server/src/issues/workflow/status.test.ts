import { describe, expect, it } from 'vitest'
import { changeStatus, type StatusBefore, type StatusRequest } from './status.ts'
import { readStatusRequest, type StatusBody } from './status-request.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const before: StatusBefore = {
  status: 'unresolved',
  substatus: 'new',
  timesSeen: 7,
  newestRelease: 'web@2.0',
  dailyPeak: 40,
}

const change = (request: StatusRequest, more: Partial<StatusBefore> = {}) =>
  changeStatus(request, { ...before, ...more }, NOW, 3)

describe('changeStatus', () => {
  it.each<[StatusRequest, string, string | null, object]>([
    [{ kind: 'resolved' }, 'resolved', null, { since: NOW, actorId: 3 }],
    [{ kind: 'resolvedInNextRelease' }, 'resolved', null, { inNextRelease: true, currentRelease: 'web@2.0' }],
    [{ kind: 'resolvedInRelease', version: 'web@1.9' }, 'resolved', null, { inRelease: 'web@1.9' }],
    [{ kind: 'resolvedInRelease', version: 'latest' }, 'resolved', null, { inRelease: 'web@2.0' }],
    [{ kind: 'unresolved' }, 'unresolved', 'ongoing', {}],
    [{ kind: 'unresolved', substatus: 'escalating' }, 'unresolved', 'escalating', {}],
    [{ kind: 'archivedForever' }, 'ignored', 'archived_forever', { since: NOW, dailyPeak: 40 }],
    [{ kind: 'archivedUntilEscalating' }, 'ignored', 'archived_until_escalating', { since: NOW }],
    [
      { kind: 'archivedUntil', events: 10, eventsWindow: 60, users: 2, usersWindow: 5 },
      'ignored',
      'archived_until_condition_met',
      { untilEvents: 10, untilEventsWindow: 60, untilUsers: 2, untilUsersWindow: 5 },
    ],
    [
      { kind: 'archivedUntil', events: 10, users: 2, timestamp: NOW + 5 },
      'ignored',
      'archived_until_condition_met',
      { untilEvents: 10, eventsAtStart: 7, untilUsers: 2, untilTimestamp: NOW + 5 },
    ],
  ])('%j', (request, status, substatus, details) => {
    const changed = change(request)
    expect(changed).toMatchObject({ status, substatus, details })
    expect(changed.activity.type).toMatch(/^set_/)
  })

  it('resolves plainly when a project has no release to speak of', () => {
    expect(change({ kind: 'resolvedInNextRelease' }, { newestRelease: null }).details).toEqual({
      since: NOW,
      actorId: 3,
      inNextRelease: true,
    })
    expect(change({ kind: 'resolvedInRelease', version: 'latest' }, { newestRelease: null }).details).toEqual({
      since: NOW,
      actorId: 3,
    })
  })
})

describe('readStatusRequest', () => {
  it.each<[StatusBody, StatusRequest | undefined]>([
    [{}, undefined],
    [{ status: 'resolved' }, { kind: 'resolved' }],
    [{ status: 'resolved', statusDetails: { inNextRelease: true } }, { kind: 'resolvedInNextRelease' }],
    [
      { status: 'resolved', statusDetails: { inRelease: 'a' } },
      { kind: 'resolvedInRelease', version: 'a' },
    ],
    [
      { status: 'unresolved', substatus: 'regressed' },
      { kind: 'unresolved', substatus: 'regressed' },
    ],
    [{ substatus: 'ongoing' }, { kind: 'unresolved', substatus: 'ongoing' }],
    [{ substatus: 'archived_forever' }, { kind: 'archivedForever' }],
    [{ status: 'ignored' }, { kind: 'archivedUntilEscalating' }],
    [
      { status: 'ignored', statusDetails: { ignoreDuration: 30 } },
      { kind: 'archivedUntil', timestamp: NOW + 30 * 60_000 },
    ],
    [
      { status: 'ignored', statusDetails: { ignoreUntil: '2040-01-31T10:00:00' } },
      { kind: 'archivedUntil', timestamp: Date.UTC(2040, 0, 31, 10) },
    ],
    [
      { status: 'ignored', statusDetails: { ignoreUserCount: 3 } },
      { kind: 'archivedUntil', users: 3 },
    ],
    // As Sentry's own clients write it: beside the details, with nulls for what they do not mean.
    [
      { status: 'ignored', substatus: 'archived_until_condition_met', ignoreDuration: 30, ignoreCount: null },
      { kind: 'archivedUntil', timestamp: NOW + 30 * 60_000 },
    ],
    [
      { substatus: 'archived_until_condition_met', ignoreCount: 5, ignoreUserCount: 2 },
      { kind: 'archivedUntil', events: 5, users: 2 },
    ],
    [
      { status: 'resolved', inRelease: 'a' },
      { kind: 'resolvedInRelease', version: 'a' },
    ],
    [{ status: 'resolved', inNextRelease: true, statusDetails: {} }, { kind: 'resolvedInNextRelease' }],
    [{ status: 'resolved', inNextRelease: false, statusDetails: null }, { kind: 'resolved' }],
    [{ status: 'ignored', snoozeDuration: null }, { kind: 'archivedUntilEscalating' }],
    [
      { status: 'ignored', snoozeDuration: 10 },
      { kind: 'archivedUntil', timestamp: NOW + 10 * 60_000 },
    ],
  ])('%j', (body, request) => {
    expect(readStatusRequest(body, NOW)).toEqual({ ok: true, value: request })
  })

  it.each<StatusBody>([
    { status: 'reprocessing' },
    { status: 'ignored', statusDetails: { ignoreUntil: '2020-01-01' } },
    { status: 'ignored', statusDetails: { ignoreUntil: 'soon' } },
    { status: 'ignored', statusDetails: { ignoreWindow: 5 } },
    { status: 'ignored', ignoreUserCount: 1, ignoreWindow: 5 },
    { status: 'ignored', ignoreCount: 1, ignoreUserWindow: 5 },
    { status: 'ignored', substatus: 'archived_until_condition_met' },
    { substatus: 'archived_until_condition_met', statusDetails: { ignoreCount: null } },
    { status: 'ignored', substatus: 'archived_forever', ignoreCount: 1 },
    { status: 'ignored', substatus: 'archived_until_escalating', ignoreDuration: 1 },
    { status: 'ignored', substatus: 'ongoing' },
    { status: 'unresolved', substatus: 'archived_forever' },
    { status: 'resolved', substatus: 'new' },
    { status: 'resolved', ignoreCount: 1 },
    { status: 'ignored', inRelease: 'a' },
    { ignoreCount: 1 },
    { statusDetails: { inRelease: 'a' } },
  ])('refuses %j', (body) => {
    expect(readStatusRequest(body, NOW).ok).toBe(false)
  })
})
