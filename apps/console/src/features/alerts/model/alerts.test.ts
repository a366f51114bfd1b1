import type { AlertDraft, AlertDryRun } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'

import { readNewAlertUrl } from './alerts-search.ts'
import { pagerEvent, slackBlocks } from './as-sent.ts'
import { beginningOf } from './beginning.ts'
import {
  bandPoints,
  dayTicks,
  firingMarks,
  handleTop,
  limitStep,
  roundedLimit,
  scaleOf,
  ticksOf,
  worstPoints,
} from './chart.ts'
import { standingOf } from './decisions.ts'
import {
  EMPTY_DRAFT,
  isOfSameQuantity,
  limitOf,
  MEASURED,
  missingOf,
  withComparison,
  withLimit,
  withQuantity,
  withSilence,
  withSource,
} from './draft.ts'
import { ladderChoices } from './ladder.ts'
import { quantityOf } from './quantities.ts'
import { withReceivers } from './receivers.ts'
import { closedParts, plainSentence, sentenceOf } from './sentence.ts'
import { TEMPLATES } from './templates.ts'
import { happeningText, hoursText, lengthText } from './words.ts'

const NAMES = {
  project: (id: string) => `project ${id}`,
  channel: (id: string) => `#channel-${id}`,
  team: (id: string) => `team ${id}`,
  member: (id: string) => `member ${id}`,
}

describe('a line of a sentence', () => {
  it('never begins with a comma or a full stop', () => {
    const parts = sentenceOf({ ...EMPTY_DRAFT, trigger: MEASURED }, NAMES, true)
    const closed = closedParts(parts)
    expect(closed.map(({ part, close }) => part.text + close).join('')).toBe(plainSentence(parts))
    expect(closed.filter(({ part }) => /^[,.]/.test(part.text))).toEqual([])
    expect(closed.find(({ part }) => part.kind === 'variable' && part.id === 'recovery')?.close).toBe('.')
  })
})

const said = (draft: AlertDraft): string => plainSentence(sentenceOf(draft, NAMES))

describe('a rule is a sentence', () => {
  it('of what is measured: limit, time, search, where, who, when, and the all-clear', () => {
    const draft: AlertDraft = {
      ...EMPTY_DRAFT,
      query: 'transaction:/cart',
      projects: ['7'],
      environments: ['production'],
      trigger: {
        ...MEASURED,
        comparison: { kind: 'fixed', direction: 'above', limit: 60, worseLimit: null },
        recovery: { limit: 30, minutes: 15 },
      },
      actions: [{ kind: 'channel', channelId: '3', from: 'fired' }],
    }
    expect(said(draft)).toBe(
      'When more than 60 users in 10 minutes run into transaction:/cart in production of project 7, tell #channel-3, at most one message in 30 minutes about the same thing, and say all clear at or below 30 for 15 minutes.',
    )
  })

  it('of what happens, without a search', () => {
    expect(said(EMPTY_DRAFT)).toBe(
      'When an issue is new or comes back, tell the owners, at most one message in 30 minutes about the same thing.',
    )
  })

  it('of shares, durations, changes and what is unusual', () => {
    const measured = (trigger: Partial<typeof MEASURED>): string =>
      said({ ...EMPTY_DRAFT, trigger: { ...MEASURED, dataset: 'spans', ...trigger } })
    expect(
      measured({
        aggregate: 'failure_rate()',
        comparison: { kind: 'fixed', direction: 'above', limit: 0.05, worseLimit: null },
        groupBy: ['transaction'],
      }),
    ).toContain('When the failure rate is above 5% over 10 minutes, for each transaction, tell')
    expect(
      measured({
        dataset: 'replays',
        aggregate: 'sum(count_rage_clicks)',
        comparison: { kind: 'fixed', direction: 'above', limit: 20, worseLimit: null },
      }),
    ).toContain('When more than 20 rage clicks in 10 minutes, tell')
    expect(
      measured({
        aggregate: 'count()',
        comparison: { kind: 'change', direction: 'below', percent: 50, against: 10_080, floor: 10 },
      }),
    ).toContain('When 50% fewer spans than a week before in 10 minutes')
    expect(
      measured({
        aggregate: 'p95(span.duration)',
        comparison: { kind: 'unusual', direction: 'above', sensitivity: 'normal', floor: 0 },
      }),
    ).toContain('When the p95 of durations is unusually high over 10 minutes')
  })

  it('has all in it that can be changed while it is written, also an empty search', () => {
    expect(plainSentence(sentenceOf(EMPTY_DRAFT, NAMES, true))).toBe(
      'When an issue is new or comes back and matches  in any environment of every project, however old, tell the owners at any hour, at most one message in 30 minutes about the same thing.',
    )
    expect(sentenceOf(EMPTY_DRAFT, NAMES, true)).toContainEqual({ kind: 'query', text: '' })
    expect(sentenceOf(EMPTY_DRAFT, NAMES)).not.toContainEqual({ kind: 'query', text: '' })
  })

  it('says of each template what it watches', () => {
    for (const { draft } of TEMPLATES) {
      expect(missingOf(draft)).toBeNull()
      expect(said(draft)).toMatch(/^When .*\.$/)
    }
  })
})

describe('words', () => {
  it('of lengths, hours and what happens', () => {
    expect([1, 10, 60, 120, 1440, 10_080, 90].map(lengthText)).toEqual([
      '1 minute',
      '10 minutes',
      '1 hour',
      '2 hours',
      '1 day',
      '7 days',
      '90 minutes',
    ])
    expect(hoursText({ timezone: 'UTC', days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' })).toBe(
      'Mon to Fri, 09:00 to 18:00',
    )
    expect(hoursText({ timezone: 'UTC', days: [7, 1], from: '22:00', to: '06:00' })).toBe('Mon, Sun, 22:00 to 06:00')
    expect(happeningText(['issue_opened', 'issue_escalating', 'report_received'])).toBe(
      'an issue is new or escalates or somebody sends feedback',
    )
  })
})

describe('what is written', () => {
  it('watches shares without a crash from a limit that says something of them, and of enough sessions', () => {
    const crashFree = withQuantity(
      { ...MEASURED, groupBy: ['url'] },
      quantityOf('sessions', 'crash_free_rate(session)'),
    )
    expect(crashFree).toMatchObject({ dataset: 'sessions', windowMinutes: 60, least: 100, groupBy: [] })
    expect(said({ ...EMPTY_DRAFT, trigger: crashFree })).toBe(
      'When the share of sessions without a crash is below 99% over 1 hour of at least 100 sessions, tell the owners, at most one message in 30 minutes about the same thing, and say all clear at or above 99% for 15 minutes.',
    )
    // What somebody set stays where it says the same, and goes where it does not.
    const set = { ...crashFree, least: 500 }
    expect(withQuantity(set, quantityOf('sessions', 'crash_free_rate(user)'))).toMatchObject({ least: 500 })
    expect(withQuantity(set, quantityOf('errors', 'count()'))).toMatchObject({
      least: 0,
      comparison: MEASURED.comparison,
      windowMinutes: MEASURED.windowMinutes,
    })
    // Neither a limit of shares nor how many it takes says anything of reports, and the other way round.
    const reports = withQuantity(set, quantityOf('feedback', 'count()'))
    expect(reports).toMatchObject({ dataset: 'feedback', windowMinutes: 60, least: 0 })
    expect(reports.comparison).toMatchObject({ direction: 'above', limit: 5 })
    expect(withQuantity(reports, quantityOf('sessions', 'crash_free_rate(user)'))).toMatchObject({ least: 100 })
    const seldom = { ...reports, comparison: { ...reports.comparison, limit: 2 } }
    expect(withQuantity(seldom, quantityOf('feedback', 'count_unique(user)')).comparison).toMatchObject({ limit: 2 })
    expect(said({ ...EMPTY_DRAFT, query: 'has:screenshot', trigger: reports })).toMatch(
      /^When more than 5 reports in 1 hour match has:screenshot, tell the owners/,
    )
    const unusual = withComparison(crashFree, 'unusual')
    expect(withComparison(unusual, 'fixed').comparison).toMatchObject({ direction: 'below', limit: 0.99 })
    const draft = { ...EMPTY_DRAFT, trigger: crashFree }
    expect(withSource(withSource(draft, 'silence'), 'measured').trigger).toEqual(crashFree)
    expect(beginningOf(readNewAlertUrl({ dataset: 'sessions', group: 'release' })).trigger).toEqual({
      ...crashFree,
      groupBy: ['release'],
    })
  })

  it('keeps the table and the groups when another source is chosen, and nothing that would not fit', () => {
    const spans: AlertDraft = {
      ...EMPTY_DRAFT,
      trigger: { ...MEASURED, dataset: 'spans', aggregate: 'failure_rate()', groupBy: ['release'] },
    }
    expect(withSource(spans, 'silence').trigger).toMatchObject({ dataset: 'spans', groupBy: ['release'] })
    expect(withSource(spans, 'happened').trigger.source).toBe('happened')
    expect(withSource(withSource(spans, 'silence'), 'measured').trigger).toMatchObject({ aggregate: 'count()' })
  })

  it('waits for check-ins that went well, and for nothing of which none may be some that wait', () => {
    const runs = withQuantity(MEASURED, quantityOf('check_ins', 'failure_count()'))
    const silent = withSource({ ...EMPTY_DRAFT, trigger: runs, query: 'monitor:backup' }, 'silence')
    expect(silent).toMatchObject({ trigger: { dataset: 'check_ins' }, query: 'status:ok monitor:backup' })
    const plain = withSource({ ...EMPTY_DRAFT, trigger: runs }, 'silence')
    expect(plain.query).toBe('status:ok')
    expect(withSource(plain, 'measured')).toMatchObject({ trigger: { dataset: 'check_ins' }, query: '' })
    expect(withSource(plain, 'happened').query).toBe('')
    const { trigger } = plain
    if (trigger.source !== 'silence') throw new Error('no silence')
    expect(withSilence(plain, { ...trigger, dataset: 'errors' }).query).toBe('')
    const replays = { ...EMPTY_DRAFT, trigger: withQuantity(MEASURED, quantityOf('replays', 'count_unique(replay)')) }
    expect(withSource(replays, 'silence').trigger).toMatchObject({ source: 'silence', dataset: 'spans', groupBy: [] })
    expect(beginningOf(readNewAlertUrl({ source: 'silence', dataset: 'check_ins' }))).toMatchObject({
      trigger: { source: 'silence', dataset: 'check_ins' },
      query: 'status:ok',
    })
    expect(beginningOf(readNewAlertUrl({ source: 'silence', dataset: 'replays' })).trigger).toMatchObject({
      dataset: 'spans',
    })
  })

  it('drops an all-clear and a worse limit that a new limit passes', () => {
    const draft: AlertDraft = {
      ...EMPTY_DRAFT,
      trigger: {
        ...MEASURED,
        comparison: { kind: 'fixed', direction: 'above', limit: 60, worseLimit: 120 },
        recovery: { limit: 30, minutes: 15 },
      },
    }
    const lower = withLimit(draft, 20).trigger
    expect(lower).toMatchObject({ comparison: { limit: 20, worseLimit: 120 }, recovery: { limit: null } })
    const higher = withLimit(draft, 130).trigger
    expect(higher).toMatchObject({ comparison: { limit: 130, worseLimit: null }, recovery: { limit: 30 } })
  })

  it('counts the same under another limit, and another thing by another quantity or kind', () => {
    const draft = { ...EMPTY_DRAFT, trigger: MEASURED }
    expect(isOfSameQuantity(draft, withLimit(draft, 7))).toBe(true)
    expect(isOfSameQuantity(draft, { ...draft, trigger: withComparison(MEASURED, 'unusual') })).toBe(true)
    const reports = withQuantity(MEASURED, quantityOf('feedback', 'count()'))
    expect(isOfSameQuantity(draft, { ...draft, trigger: reports })).toBe(false)
    expect(isOfSameQuantity(draft, withSource(draft, 'silence'))).toBe(false)
    expect(isOfSameQuantity(EMPTY_DRAFT, { ...EMPTY_DRAFT, query: 'level:error' })).toBe(true)
  })

  it('has silence as a limit, too, of whole minutes', () => {
    const silent = withSource(EMPTY_DRAFT, 'silence')
    expect(limitOf(silent)).toBe(10)
    expect(limitOf(withLimit(silent, 25.4))).toBe(25)
    expect(limitOf(withLimit(silent, 0))).toBe(1)
  })

  it('takes steps of the ladder that are no places on the chart', () => {
    const changing: AlertDraft = { ...EMPTY_DRAFT, trigger: withComparison(MEASURED, 'change') }
    const [first, second] = ladderChoices(changing, [
      { limit: 50, messages: 9 },
      { limit: 100, messages: 2 },
    ])
    expect(first).toMatchObject({ label: '50%', messages: 9, isChosen: true })
    expect(second?.draft.trigger).toMatchObject({ comparison: { percent: 100 } })
    const unusual: AlertDraft = { ...EMPTY_DRAFT, trigger: withComparison(MEASURED, 'unusual') }
    expect(ladderChoices(unusual, [{ limit: 6, messages: 1 }])).toMatchObject([
      { label: 'Calm', isChosen: false, draft: { trigger: { comparison: { sensitivity: 'calm' } } } },
    ])
    expect(ladderChoices({ ...EMPTY_DRAFT, trigger: MEASURED }, [{ limit: 6, messages: 1 }])).toEqual([])
  })

  it('has a limit only where that is fixed', () => {
    const unusual = { ...EMPTY_DRAFT, trigger: withComparison(MEASURED, 'unusual') }
    expect(limitOf({ ...EMPTY_DRAFT, trigger: MEASURED })).toBe(50)
    expect(limitOf(unusual)).toBeNull()
    expect(withLimit(unusual, 5)).toBe(unusual)
  })

  it('begins with what another screen looked at', () => {
    const begun = beginningOf(
      readNewAlertUrl({
        source: 'measured',
        dataset: 'spans',
        aggregate: 'p95(span.duration)',
        query: 'is_transaction:true',
        project: ['4', 'by-name'],
        group: ['transaction', 'release', 'environment', 'user'],
      }),
    )
    expect(begun.projects).toEqual(['4'])
    expect(begun.trigger).toMatchObject({
      dataset: 'spans',
      groupBy: ['transaction', 'release', 'environment'],
      comparison: { kind: 'unusual' },
    })
    expect(beginningOf({ query: 'level:fatal' })).toMatchObject({
      query: 'level:fatal',
      trigger: { source: 'happened' },
    })
    expect(beginningOf({ template: 'feedback' }).trigger).toMatchObject({
      kinds: ['report_received', 'reporter_replied'],
    })
  })

  it('keeps what was said of receivers that stay', () => {
    const own: AlertDraft['actions'] = [{ kind: 'channel', channelId: '3', from: 'worse' }]
    expect(withReceivers(own, ['channel:3', 'owners', 'nonsense'])).toEqual([
      own[0],
      { kind: 'people', target: 'owners', id: null, fallthrough: 'active', from: 'fired' },
    ])
  })
})

const HOUR = 3600
const FROM = Date.UTC(2026, 10, 13)

const RUN: AlertDryRun = {
  from: new Date(FROM).toISOString(),
  to: new Date(FROM + 14 * 24 * HOUR * 1000).toISOString(),
  interval: HOUR,
  unit: 'users',
  series: [
    {
      label: 'a',
      points: [
        [FROM / 1000, 10],
        [FROM / 1000 + HOUR, null],
      ],
    },
    {
      label: 'b',
      points: [
        [FROM / 1000, 30],
        [FROM / 1000 + HOUR, 5],
      ],
    },
  ],
  groups: 2,
  band: [[FROM / 1000, 2, 5, 20]],
  limit: 25,
  ladder: [],
  firings: [],
  incidents: 0,
  messages: 0,
  atNight: 0,
  receivers: [],
  evaluations: 0,
  rows: 0,
  milliseconds: 0,
  sampled: null,
  missing: [],
  learning: null,
}

describe('the chart of a dry run', () => {
  const size = { width: 336, height: 100 }

  it('draws the worst group of each step', () => {
    expect(worstPoints(RUN, false).map(([, value]) => value)).toEqual([30, 5])
    expect(worstPoints(RUN, true).map(([, value]) => value)).toEqual([10, 5])
  })

  it('has room for the limit, and a dragged one stands on values that one would type', () => {
    const scale = scaleOf(RUN, 200, size)
    expect(scale.top).toBeGreaterThan(200)
    expect(scale.valueAt(scale.y(60))).toBeCloseTo(60)
    const upTo = (top: number) => ({ bottom: 0, top })
    expect(roundedLimit(61.73, upTo(100))).toBe(62)
    expect(roundedLimit(0.0519, upTo(0.2))).toBe(0.052)
    expect([roundedLimit(4.1, upTo(4)), roundedLimit(4.1, upTo(4), true)]).toEqual([4.1, 4])
    expect([limitStep(upTo(4), true), limitStep(upTo(4), false), limitStep(upTo(5000), true)]).toEqual([1, 0.1, 200])
    expect(roundedLimit(1234, upTo(5000))).toBe(1250)
    expect(roundedLimit(0.98764, { bottom: 0.96, top: 1 })).toBe(0.9875)
  })

  it('A7: draws what was usual as a band between its ends', () => {
    const scale = scaleOf(RUN, null, size)
    expect(bandPoints(RUN, scale).split(' ')).toHaveLength(2)
    expect(bandPoints({ ...RUN, band: null }, scale)).toBe('')
  })

  it('lets a share that is to be nearly all hang from the top, as far as it misses', () => {
    const points: [number, number | null][] = [
      [0, 1],
      [3600, 0.96],
      [7200, null],
    ]
    const run = { ...RUN, series: [{ label: '', points }] }
    const scale = scaleOf(run, 0.99, size, true)
    expect(scale.bottom).toBeCloseTo(0.954, 9)
    expect([scale.y(1), scale.y(2), scale.y(scale.bottom), scale.y(0.5)]).toEqual([0, 0, size.height, size.height])
    expect(scale.valueAt(scale.y(0.97))).toBeCloseTo(0.97, 9)
    expect(scale.valueAt(-50)).toBe(1)
    expect(ticksOf(scale).map((value) => value.toFixed(2))).toEqual(['1.00', '0.98', '0.96'])
    expect(scaleOf({ ...run, series: [] }, null, size, true).bottom).toBeCloseTo(0.9885, 9)
    expect(ticksOf(scaleOf(RUN, 200, size))[0]).toBe(0)
  })

  it('numbers firings that stand apart, and has one mark of those that would lie over each other', () => {
    const at = (hours: number): AlertDryRun['firings'][number] => ({
      number: 1,
      at: new Date(FROM + hours * HOUR * 1000).toISOString(),
      until: null,
      value: 30,
      limit: 25,
      group: [],
      issue: null,
      decision: 'fired',
      reason: 'limit',
      sentence: '',
      messages: [],
    })
    const marksOf = (hours: readonly number[]) =>
      firingMarks({ ...RUN, firings: hours.map((hour) => at(hour)) }, scaleOf(RUN, null, size))
    expect(marksOf([100, 104, 200]).map(({ places, text }) => [text, places])).toEqual([
      ['×2', [0, 1]],
      ['1', [2]],
    ])
    // A burst that goes on is one after the other, never one over the other.
    const burst = marksOf(Array.from({ length: 200 }, (_, index) => 60 + index))
    expect(burst.flatMap(({ places }) => places)).toEqual(Array.from({ length: 200 }, (_, index) => index))
    for (const [index, { text, x }] of burst.entries()) {
      const next = burst[index + 1]
      if (next !== undefined) expect(next.x - x).toBeGreaterThanOrEqual(((text.length + next.text.length) * 7 + 24) / 2)
    }
  })

  it('keeps its marks, and the handle of the limit, where they can be read', () => {
    const last: AlertDryRun['firings'][number] = {
      number: null,
      at: RUN.to,
      until: null,
      value: 30,
      limit: 25,
      group: [],
      issue: null,
      decision: 'fired',
      reason: 'limit',
      sentence: '',
      messages: [],
    }
    const scale = scaleOf(RUN, null, { width: 336, height: 210 })
    const [mark] = firingMarks({ ...RUN, firings: Array.from({ length: 40 }, () => last) }, scale)
    expect(mark?.text).toBe('×40')
    // Half of it is 16 px wide; the panel ends 12 px after the chart.
    expect((mark?.x ?? 0) + 16).toBeLessThanOrEqual(336 + 12)
    // Upon its line; above it where "now" is below; aside where it would cover a mark.
    expect(handleTop(100, [], scale)).toBe(-13)
    expect(handleTop(210, [], scale)).toBe(-24)
    const at = (y: number) => [{ places: [0], x: 330, y, text: '1' }]
    expect(handleTop(100, at(95), scale)).toBe(7)
    expect(handleTop(100, at(105), scale)).toBe(-33)
    expect(handleTop(100, [{ places: [0], x: 100, y: 95, text: '1' }], scale)).toBe(-13)
  })

  it('puts what has no value of its own on top of its bar', () => {
    const scale = scaleOf(RUN, null, { width: 336, height: 400 })
    const firing: AlertDryRun['firings'][number] = {
      number: 1,
      at: new Date(FROM + 1_200_000).toISOString(),
      until: null,
      value: null,
      limit: null,
      group: [],
      issue: null,
      decision: 'fired',
      reason: 'matched',
      sentence: '',
      messages: [],
    }
    const [mark] = firingMarks({ ...RUN, firings: [firing] }, scale)
    expect(mark?.y).toBe(Math.max(12, scale.y(30) - 14))
  })

  it('names as many days as there is room for', () => {
    const midnight = (timeMs: number): number => Math.floor(timeMs / 86_400_000) * 86_400_000
    expect(dayTicks(scaleOf(RUN, null, { width: 1400, height: 100 }), midnight)).toHaveLength(13)
    expect(dayTicks(scaleOf(RUN, null, { width: 252, height: 100 }), midnight).length).toBeLessThanOrEqual(4)
  })
})

describe('how a rule stands', () => {
  it('is off or muted before anything else', () => {
    const rule = { isEnabled: true, isMuted: false, mutedUntil: null, state: 'firing', trigger: MEASURED } as const
    const now = Date.UTC(2026, 10, 27)
    expect(standingOf(rule, now).word).toBe('Firing')
    expect(standingOf({ ...rule, mutedUntil: new Date(now + 1).toISOString() }, now).word).toBe('Muted')
    expect(standingOf({ ...rule, mutedUntil: new Date(now - 1).toISOString() }, now).word).toBe('Firing')
    expect(standingOf({ ...rule, isEnabled: false, isMuted: true }, now).word).toBe('Off')
  })

  it('is no alarm while issues of what happens are open', () => {
    const rule = { ...EMPTY_DRAFT, isEnabled: true, isMuted: false, mutedUntil: null, state: 'firing' } as const
    expect(standingOf(rule, 0)).toEqual({ word: 'Issues open', tone: 'neutral' })
  })
})

describe('what channels would have been sent', () => {
  it('is read back as Slack and PagerDuty show it', () => {
    const body = JSON.stringify({
      text: 'New: TypeError',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'New: TypeError' } },
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'Users: ', style: { bold: true } },
                { type: 'link', url: 'https://firsthand.example/', text: '12' },
              ],
            },
          ],
        },
        {
          type: 'rich_text',
          elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'at f' }] }],
        },
        {
          type: 'rich_text',
          elements: [{ type: 'rich_text_list', elements: [{ type: 'rich_text_section', elements: [] }] }],
        },
        { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open' } }] },
        { type: 'context', elements: [{ type: 'plain_text', text: 'You own it.' }] },
        { type: 'image', image_url: 'https://elsewhere.example/' },
      ],
    })
    expect(slackBlocks(body)).toEqual([
      { kind: 'header', text: 'New: TypeError' },
      {
        kind: 'section',
        runs: [
          { text: 'Users: ', isBold: true, isItalic: false, isLink: false },
          { text: '12', isBold: false, isItalic: false, isLink: true },
        ],
      },
      { kind: 'code', runs: [{ text: 'at f', isBold: false, isItalic: false, isLink: false }] },
      { kind: 'list', items: [[]] },
      { kind: 'buttons', labels: ['Open'] },
      { kind: 'context', text: 'You own it.' },
    ])
    const payload = { summary: 'New: TypeError', severity: 'error', source: 'acme', custom_details: { Users: '12' } }
    const event = { event_action: 'resolve', payload, links: [{ href: 'https://firsthand.example/', text: 'Open' }] }
    expect(pagerEvent(JSON.stringify(event))).toEqual({
      isOver: true,
      summary: 'New: TypeError',
      severity: 'error',
      source: 'acme',
      details: [{ name: 'Users', value: '12' }],
      links: ['Open'],
    })
  })

  it('is nothing where it is none of these', () => {
    expect([slackBlocks('text'), slackBlocks('{"blocks":1}'), slackBlocks('null')]).toEqual([[], [], []])
    expect(pagerEvent('text')).toMatchObject({ isOver: false, summary: '', details: [] })
  })
})
