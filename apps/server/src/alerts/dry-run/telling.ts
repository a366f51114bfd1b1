import { HOUR_MS } from '../../lib/durations.ts'
import type { AlertRule } from '../rule.ts'
import { conclude, type Conclusion, type Fate } from '../telling/conclude.ts'
import {
  isOpen,
  nextSummaryAt,
  openedGroup,
  placeOf,
  type Group,
  type Place,
  type Urgency,
} from '../telling/grouping.ts'
import { suppressionOf, type Circumstances } from '../telling/suppression.ts'

/**
 * What would have been told of what fired, to one receiver of each action: by the same rules by which it is told, over what
 * was told before in the dry run itself.
 */

/** Something that a rule would have said, in the order of time. */
export interface Spoken {
  readonly at: number
  /** What it is about: an issue or a group. */
  readonly subject: string
  readonly projectId: number | null
  /** What belongs together. */
  readonly topic: string
  readonly urgency: Urgency
  readonly circumstances: Circumstances
  /** What it came to before anybody was told. */
  readonly found: Conclusion
}

/** What became of it. */
export interface Telling extends Conclusion {
  /** Number of the message; null where there was none of its own. */
  readonly number: number | null
  /** It is in the summary of those that fired at the same time. */
  readonly isGathered: boolean
  /** Somebody heard of it, be it in a line that says how much was held back. */
  readonly isHeard: boolean
  /** When it may be told, where it could not be now; null where no time is known. */
  readonly until: number | null
}

/** A message that says what waited in one. */
export interface Summary {
  readonly at: number
  /** It says what is over. */
  readonly isOver: boolean
}

const FATES: Readonly<Record<Place, Fate>> = { now: 'told', wait: 'gathered', held: 'cap' }

interface Waiting {
  group: Group
  /** What waits. */
  subjects: readonly { readonly subject: string; readonly projectId: number | null }[]
  /** It answers a summary: that something of that is over. */
  readonly isOver: boolean
}

/** What one summary told, as far as it is not over. */
interface Told {
  readonly number: number
  readonly left: Set<string>
}

// long: what was said before is shared by its steps
export const createTelling = (rule: Pick<AlertRule, 'draft' | 'mutedUntil'>) => {
  const groups = new Map<string, Waiting>()
  let sent: { readonly at: number; readonly projectId: number | null; readonly urgency: Urgency }[] = []
  /** Those who were told of by themselves, and those who were told of in a summary. */
  const alone = new Set<string>()
  const together = new Map<string, Told>()
  const summaries: Summary[] = []
  let messages = 0
  let held = 0

  const say = (at: number, projectId: number | null, urgency: Urgency): number => {
    sent.push({ at, projectId, urgency })
    messages += 1
    return messages
  }

  /** Summaries whose time has come. */
  const summarise = (until: number): void => {
    for (const [topic, waiting] of groups) {
      while (waiting.group.dueAt <= until && waiting.group.waiting > 0) {
        const { dueAt, told } = waiting.group
        // That something is over counts for nothing.
        const projects = waiting.isOver ? [] : waiting.subjects.map((one) => one.projectId)
        for (const projectId of new Set(projects)) sent.push({ at: dueAt, projectId, urgency: 0 })
        messages += 1
        summaries.push({ at: dueAt, isOver: waiting.isOver })
        if (!waiting.isOver) {
          const summary: Told = { number: messages, left: new Set(waiting.subjects.map(({ subject }) => subject)) }
          for (const subject of summary.left) together.set(subject, summary)
        }
        waiting.subjects = []
        waiting.group = { ...waiting.group, told: told + 1, waiting: 0, dueAt: nextSummaryAt(waiting.group, dueAt) }
      }
      if (!isOpen(waiting.group, until)) groups.delete(topic)
    }
  }

  const budgetAt = (at: number, projectId: number | null) => {
    sent = sent.filter((one) => one.at > at - HOUR_MS)
    const sure = [...groups.values()].filter(({ group, isOver }) => group.waiting > 0 && !isOver).length
    const urgency = Math.max(-1, ...sent.map((one) => one.urgency)) as Urgency | -1
    const used = sent.filter((one) => one.projectId === projectId).length + sure
    return { used, most: rule.draft.maxMessagesPerHour, urgency }
  }

  const wait = (topic: string, subject: string, projectId: number | null): void => {
    const waiting = groups.get(topic)
    if (waiting === undefined) return
    waiting.group = { ...waiting.group, waiting: waiting.group.waiting + 1 }
    waiting.subjects = [...waiting.subjects, { subject, projectId }]
  }

  /** What is over of a summary is told as an answer to that, and at once when nothing of it is left. */
  const answer = ({ left, number }: Told, subject: string, at: number): void => {
    const topic = `over:${number}`
    const open = groups.get(topic)
    if (open === undefined || !isOpen(open.group, at)) {
      groups.set(topic, { group: openedGroup(0, at), subjects: [], isOver: true })
    }
    wait(topic, subject, null)
    const waiting = groups.get(topic)
    if (left.size === 0 && waiting !== undefined) waiting.group = { ...waiting.group, dueAt: at }
  }

  const silent = (conclusion: Conclusion, until: number | null = null): Telling => ({
    ...conclusion,
    number: null,
    isGathered: false,
    isHeard: false,
    until,
  })

  const go = ({ at, projectId, subject, topic, urgency }: Spoken, place: Place): number | null => {
    if (place === 'held') {
      held += 1
      return null
    }
    if (place === 'wait') {
      wait(topic, subject, projectId)
      return null
    }
    const open = groups.get(topic)
    const group = open === undefined ? openedGroup(urgency, at) : { ...open.group, urgency }
    groups.set(topic, { group, subjects: open?.subjects ?? [], isOver: false })
    alone.add(subject)
    return say(at, projectId, urgency)
  }

  return {
    hear: (spoken: Spoken): Telling => {
      const { at, circumstances, found, projectId, topic, urgency } = spoken
      summarise(at)
      const suppression = suppressionOf(rule, circumstances, at)
      if (suppression !== null) {
        const { reason, sentence, until } = suppression
        return silent({ decision: 'held', reason, sentence: `${found.sentence} ${sentence}` }, until)
      }
      const place = placeOf(groups.get(topic)?.group ?? null, urgency, budgetAt(at, projectId), at)
      const number = go(spoken, place)
      const concluded = conclude({ fates: [FATES[place]], saidBy: null }, found)
      return { ...concluded, number, isGathered: place === 'wait', isHeard: true, until: null }
    },

    /** It is over: whoever heard of it hears that, past mutes, hours and caps. @param found what is said then */
    end: (subject: string, at: number, found: Conclusion): Telling => {
      summarise(at)
      for (const waiting of groups.values()) {
        const left = waiting.subjects.filter((one) => one.subject !== subject)
        const taken = waiting.subjects.length - left.length
        waiting.group = { ...waiting.group, waiting: waiting.group.waiting - taken }
        waiting.subjects = left
      }
      const wasAlone = alone.delete(subject)
      const told = together.get(subject)
      together.delete(subject)
      told?.left.delete(subject)
      if (wasAlone) {
        messages += 1
        return { ...found, number: messages, isGathered: false, isHeard: true, until: null }
      }
      if (told === undefined) return silent(found)
      answer(told, subject, at)
      return { ...found, number: null, isGathered: true, isHeard: true, until: null }
    },

    /** How many messages there were, when all is over; the summaries among them have no number of their own. */
    close: (): { readonly messages: number; readonly held: number; readonly summaries: readonly Summary[] } => {
      summarise(Infinity)
      return { messages, held, summaries }
    },
  }
}
