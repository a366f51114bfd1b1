import type { AlertEvaluation } from '@firsthand/contract'
import { expect, it } from 'vitest'

import { foldEvaluations } from './fold-evaluations.ts'

const evaluation = (id: number, change: Partial<AlertEvaluation> = {}): AlertEvaluation => ({
  id: String(id),
  at: '2026-11-28T12:00:00.000Z',
  lateSeconds: 0,
  ruleVersion: 1,
  group: [],
  issue: { id: String(id), shortId: `SHOP-${id}`, title: `Deploy${id}Error: no` },
  decision: 'fired',
  reason: 'grouped',
  sentence: 'It matches, and it is new.',
  value: null,
  limit: null,
  unit: null,
  windowMinutes: null,
  incidentId: null,
  repeated: 0,
  rows: null,
  milliseconds: null,
  ...change,
})

it('neighbours of a burst that came to the same are one entry, and what came to something else in between is none of them', () => {
  const over = { decision: 'over', sentence: 'The issue was resolved after 2 min.' } as const
  const log = [
    evaluation(9, over),
    evaluation(8),
    evaluation(7),
    evaluation(6),
    evaluation(5, { reason: 'matched' }),
    evaluation(4),
    evaluation(3, { ruleVersion: 2 }),
  ]
  expect(foldEvaluations(log).map(({ first, others }) => [first.id, others.map(({ id }) => id)])).toEqual([
    ['9', []],
    ['8', ['7', '6']],
    ['5', []],
    ['4', []],
    ['3', []],
  ])
  expect(foldEvaluations([])).toEqual([])
})
