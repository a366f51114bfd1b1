import { expect, it } from 'vitest'
import { formatShortId, parseShortId } from '../issues/index.ts'
import { readReportReference, reportIssueId, reportShortId } from './report-short-id.ts'

const project = { id: 1, name: 'Shop', slug: 'my-shop', platform: '' }

it('a report has a short id that leads back to it, and that no issue can have', () => {
  for (const id of [1, 31, 32, 79, 1_000_000]) {
    const text = reportShortId({ id, project })
    expect(text).toMatch(/^MY-SHOP-U[0-9A-Z]+$/)
    expect(readReportReference(text)).toEqual({ id, projectSlug: 'my-shop' })
    expect(readReportReference(text.toLowerCase())).toEqual({ id, projectSlug: 'my-shop' })
    expect(parseShortId(text)).toBeNull()
  }
})

it('a report has an id that leads back to it, and that no issue can have', () => {
  for (const id of [1, 31, 1_000_000]) {
    expect(reportIssueId({ id })).toBe(String(1_000_000_000_000 + id))
    expect(readReportReference(reportIssueId({ id }))).toEqual({ id, projectSlug: null })
  }
})

it('an issue’s id or short id is no reference to a report', () => {
  for (const text of [
    '1',
    '12345678901234567890',
    '999999999999',
    '1000000000000',
    formatShortId('web', 79),
    formatShortId('web-u', 9),
    '-U1',
    'U1',
    '',
  ]) {
    expect(readReportReference(text)).toBeNull()
  }
})

it('an event id with or without dashes is one', () => {
  const eventId = 'ab'.repeat(16)
  const dashed = eventId.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  for (const text of [eventId, dashed, dashed.toUpperCase()]) expect(readReportReference(text)).toEqual({ eventId })
})
