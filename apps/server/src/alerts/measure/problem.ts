import type { AlertDraft } from '@firsthand/contract'
import type { ProjectReference } from '../../accounts/index.ts'
import { readQuestion } from '../../explore/index.ts'
import type { Ask } from '../../lib/questions.ts'
import type { Dataset } from '../../search/index.ts'
import { LIMITS } from '../limits.ts'
import { minutesText } from './say.ts'
import { readShape } from './shape.ts'

/**
 * Recordings take turns of their own, and nobody's errors wait for them: the minute of a rule may be over before the
 * replays of it are stored. A window that slides over them counts them a little later; what would decide by what is not
 * there yet, and a window that is over too soon, would be wrong.
 */
const problemOfReplays = (trigger: Exclude<AlertDraft['trigger'], { readonly source: 'happened' }>): string | null => {
  if (trigger.source === 'silence') {
    return 'That no replay came cannot be told: recordings are stored after everything else, so that there may be some which wait.'
  }
  if (trigger.comparison.direction !== 'above') {
    return 'Of replays an alert can tell only that there are more: recordings are stored after everything else, so that fewer may be some which wait.'
  }
  return trigger.windowMinutes < LIMITS.MEASURE_REPLAY_MINUTES
    ? `A window over replays has ${minutesText(LIMITS.MEASURE_REPLAY_MINUTES)} at least: recordings are stored after everything else.`
    : null
}

/** A run that never came is a row as well: with no search, silence would be told of monitors that nobody watches any more. */
const problemOfCheckIns = ({ query, trigger }: Measuring): string | null => {
  if (trigger.source === 'silence') {
    return /(?:^|[\s(])status:/.test(query)
      ? null
      : 'That a run never came counts as a check-in as soon as it is known. Search for what has to come, e.g. status:ok.'
  }
  return trigger.windowMinutes < LIMITS.MEASURE_CHECK_IN_MINUTES
    ? `A window over check-ins has ${minutesText(LIMITS.MEASURE_CHECK_IN_MINUTES)} at least: a run that never came is known of later than one that came.`
    : null
}

type Measuring = Pick<AlertDraft, 'query'> & {
  readonly trigger: Exclude<AlertDraft['trigger'], { readonly source: 'happened' }>
}

/** Rows are updates, of which a session has several: how many there are says nothing that somebody would want to know. */
const problemOfSessions = (trigger: Exclude<AlertDraft['trigger'], { readonly source: 'happened' }>): string | null => {
  if (trigger.source === 'silence') return null
  if (!/^crash_free_rate(?:_if)?\(/.test(trigger.aggregate)) {
    return 'Of sessions an alert measures crash_free_rate(session) or crash_free_rate(user).'
  }
  const { comparison } = trigger
  const limits = comparison.kind === 'fixed' ? [comparison.limit, comparison.worseLimit ?? 0] : []
  // Who writes 99 for 99% would hear of it every minute.
  return limits.some((limit) => limit < 0 || limit > 1)
    ? 'A share is between 0 and 1: write 0.99 as the limit for 99%.'
    : null
}

/** What is wrong with a rule about how much, or about nothing, in a sentence; null when nothing is. */
export const createMeasuredProblem = (parts: {
  readonly datasets: readonly Dataset[]
  readonly projects: (organizationId: number) => Promise<readonly ProjectReference[]>
  readonly ask: Ask
}) => {
  const { ask, datasets, projects } = parts

  const problemOfSearch = async (draft: AlertDraft, dataset: Dataset, name: string, organizationId: number) => {
    const living = await projects(organizationId)
    const searches = [draft.query]
    const prepared =
      dataset.prepared === undefined
        ? null
        : await ask(dataset.prepared, { organizationId, projects: living, searches })
    const scope = {
      dataset: prepared ?? dataset,
      name,
      organizationId,
      projects: living,
      environments: draft.environments,
      period: { from: 0, to: 1 },
      now: 0,
      raw: false,
    }
    const question = readQuestion(scope, { fields: ['count()'], query: draft.query, seconds: 60 })
    if (!question.ok) return question.error
    return question.value.having === null
      ? null
      : 'A condition on a function, such as p95():>1s, is the limit of an alert: measure p95() and say the limit there.'
  }

  return async (draft: AlertDraft, organizationId: number): Promise<string | null> => {
    const { trigger } = draft
    if (trigger.source === 'happened') return null
    if (trigger.dataset === 'replays') {
      const problem = problemOfReplays(trigger)
      if (problem !== null) return problem
    }
    if (trigger.dataset === 'check_ins') {
      const problem = problemOfCheckIns({ query: draft.query, trigger })
      if (problem !== null) return problem
    }
    if (trigger.dataset === 'sessions') {
      const problem = problemOfSessions(trigger)
      if (problem !== null) return problem
    }
    const aggregate = trigger.source === 'measured' ? trigger.aggregate : 'count()'
    const shape = readShape(datasets, { dataset: trigger.dataset, aggregate, groupBy: trigger.groupBy })
    if (!shape.ok) return shape.error
    if (trigger.source === 'measured') {
      const { comparison, windowMinutes } = trigger
      if (comparison.kind === 'change' && comparison.against < windowMinutes) {
        return `What is compared with ${minutesText(comparison.against)} before cannot have a window of ${minutesText(windowMinutes)}: it would be compared with itself.`
      }
      if (comparison.kind === 'unusual' && /\bis:/.test(draft.query)) {
        return 'What is unusual cannot be searched by is:… : resolving an issue would change what was usual.'
      }
    }
    return problemOfSearch(draft, shape.value.dataset, trigger.dataset, organizationId)
  }
}
