import { describe, expect, it } from 'vitest'
import {
  estimateText,
  formatOf,
  SAMPLES,
  SUMMARY,
  summaryChange,
  summaryLines,
  summaryText,
  totalsOf,
} from './summary.ts'

const measure = (key: (typeof SUMMARY)[number]['key']) => {
  const found = SUMMARY.find((one) => one.key === key)
  if (found === undefined) throw new Error(`no ${key}`)
  return found
}
const moved = (key: (typeof SUMMARY)[number]['key'], now: number, before: number, counted = 100) => {
  const { field } = measure(key)
  return summaryChange(measure(key), { [field]: now, [SAMPLES]: 500 }, { [field]: before, [SAMPLES]: counted })
}

describe('all transactions in four numbers', () => {
  it('move against the time before, red only where more is worse and many were counted', () => {
    expect(moved('p95', 780, 640)).toEqual({ text: '+22%', verdict: 'worse' })
    expect(moved('p95', 780, 640, 19)).toEqual({ text: '+22%', verdict: 'same' })
    expect(moved('rate', 40, 10)).toEqual({ text: '×4.0', verdict: 'same' })
    expect(moved('failed', 0.0281, 0.0042)).toEqual({ text: '+2.4 points', verdict: 'worse' })
    expect(moved('failed', 0.0081, 0.0042)).toEqual({ text: '+0.4 points', verdict: 'same' })
    expect(moved('failed', 0.01, 0.05)).toEqual({ text: '−4.0 points', verdict: 'better' })
    expect(moved('apdex', 0.93, 0.94)).toEqual({ text: '−0.01', verdict: 'same' })
    expect(moved('apdex', 0.7, 0.9)).toEqual({ text: '−0.20', verdict: 'worse' })
    expect(moved('apdex', 0.9, 0.9)).toEqual({ text: '±0.00', verdict: 'same' })
  })

  it('T40 are judged by the samples that they are from, not by how many these stand for', () => {
    const answerOf = (p95: number) => ({
      data: [{ 'count()': 400, 'p95(span.duration)': p95 }],
      meta: {
        fields: {},
        units: {},
        accuracy: { confidence: [], sampleCount: [{ 'count()': 4 }], samplingRate: [{ 'count()': 0.01 }] },
      },
    })
    const [now, before] = [totalsOf(answerOf(4000)), totalsOf(answerOf(400))]
    expect(summaryChange(measure('p95'), now, before)).toEqual({ text: '×10', verdict: 'same' })
    expect(estimateText(now ?? {})).toBe('×100, from 4 samples')
    expect(estimateText({ [SAMPLES]: 4 })).toBeNull()
  })

  it('are compared with nothing where nothing was', () => {
    expect(moved('p95', 780, 640, 0)).toBeNull()
    expect(summaryChange(measure('p95'), { 'p95(span.duration)': null, [SAMPLES]: 0 }, undefined)).toBeNull()
    expect(summaryText(measure('p95'), { 'p95(span.duration)': null })).toBe('–')
    expect(SUMMARY.map((one, place) => summaryText(one, { [one.field]: [2, 0.008, 780, 0.93][place] }))).toEqual([
      '2.0 /min',
      '0.8%',
      '780 ms',
      '0.93',
    ])
  })

  it('have one unit for a rate, in the head and on the axis', () => {
    const totals = { 'epm()': 0.07 }
    expect(summaryText(measure('rate'), totals)).toBe('4.2 /h')
    expect([0.04, 2.5].map(formatOf(measure('rate'), totals))).toEqual(['2.4 /h', '150 /h'])
  })

  it('leave out how many came in a step that goes on, unless there is no other', () => {
    const linesOf = (key: (typeof SUMMARY)[number]['key'], values: readonly number[]) => {
      const { field } = measure(key)
      const line = { label: '', group: [], isOther: false, values: new Map([[field, values]]), before: new Map() }
      const chart = { times: [0, 60, 120], bucketMs: 60, incompleteFromMs: 120, kinds: new Map(), lines: [line] }
      return summaryLines(chart, measure(key)).now
    }
    expect(linesOf('rate', [4, 5, 1])).toEqual([4, 5, null])
    expect(linesOf('rate', [0, 0, 1])).toEqual([0, 0, 1])
    expect(linesOf('p95', [400, 500, 450])).toEqual([400, 500, 450])
  })

  it('have what was before beside them, and nothing where nothing was asked', () => {
    const { field } = measure('rate')
    const line = {
      label: '',
      group: [],
      isOther: false,
      values: new Map([[field, [4]]]),
      before: new Map([[field, [3]]]),
    }
    const chart = { times: [0], bucketMs: 60, incompleteFromMs: undefined, kinds: new Map(), lines: [line] }
    expect(summaryLines(chart, measure('rate'))).toEqual({ now: [4], before: [3] })
    expect(summaryLines({ ...chart, lines: [] }, measure('rate'))).toEqual({ now: [], before: [] })
  })
})
