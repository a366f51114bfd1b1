import type { AlertDraft } from '@firsthand/contract'

import { EMPTY_DRAFT, MEASURED, withQuantity } from './draft.ts'
import { quantityOf } from './quantities.ts'

export interface Template {
  /** Its word in the address, `?template=`. */
  readonly id: string
  /** What it is good for. */
  readonly about: string
  readonly draft: AlertDraft
}

/** Alerts to begin with, each ready to be saved. */
export const TEMPLATES: readonly Template[] = [
  {
    id: 'high',
    about: 'The usual beginning: whoever owns the code hears of what is new and bad, once.',
    draft: { ...EMPTY_DRAFT, name: 'New and returning issues of high priority', query: 'issue.priority:high' },
  },
  {
    id: 'people',
    about: 'Counts people, not events: one visitor in a loop wakes nobody.',
    draft: {
      ...EMPTY_DRAFT,
      name: 'Many people run into errors',
      trigger: MEASURED,
    },
  },
  {
    id: 'failing',
    about: 'Each transaction by itself, so that a quiet one is not hidden by a busy one.',
    draft: {
      ...EMPTY_DRAFT,
      name: 'Requests fail',
      query: 'is_transaction:true',
      trigger: {
        ...MEASURED,
        dataset: 'spans',
        aggregate: 'failure_rate()',
        windowMinutes: 15,
        groupBy: ['transaction'],
        comparison: { kind: 'fixed', direction: 'above', limit: 0.05, worseLimit: null },
      },
    },
  },
  {
    id: 'crashes',
    about: 'Judges by enough sessions only: one crash of two at night wakes nobody.',
    draft: {
      ...EMPTY_DRAFT,
      name: 'Sessions crash',
      trigger: withQuantity(MEASURED, quantityOf('sessions', 'crash_free_rate(session)')),
    },
  },
  {
    id: 'slow',
    about: 'Learns what is usual for each hour of the week, and names it in the message.',
    draft: {
      ...EMPTY_DRAFT,
      name: 'Slower than usual',
      query: 'is_transaction:true',
      trigger: {
        ...MEASURED,
        dataset: 'spans',
        aggregate: 'p95(span.duration)',
        windowMinutes: 15,
        comparison: { kind: 'unusual', direction: 'above', sensitivity: 'normal', floor: 500 },
      },
    },
  },
  {
    id: 'silence',
    about: 'A service that sends nothing has no errors either.',
    draft: {
      ...EMPTY_DRAFT,
      name: 'Nothing arrives any more',
      trigger: { source: 'silence', dataset: 'spans', minutes: 10, groupBy: [] },
    },
  },
  {
    id: 'feedback',
    about: 'What visitors write, and what they answer, as soon as they do.',
    draft: {
      ...EMPTY_DRAFT,
      name: 'Somebody writes to us',
      trigger: { source: 'happened', kinds: ['report_received', 'reporter_replied'] },
      frequencyMinutes: 0,
    },
  },
]

export const templateOf = (id: string): Template | undefined => TEMPLATES.find((one) => one.id === id)
