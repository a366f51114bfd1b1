import type { Message } from '../../channels/index.ts'
import { formatShortId } from '../../issues/index.ts'
import { lengthInMinutes } from '../../lib/length-text.ts'
import type { Incident } from '../ledger/incidents.ts'
import type { Said } from '../telling/road.ts'
import { isMove, type Noted } from './happening.ts'
import { aboutOf, changedOf, levelOf, nameOf, pathOf, projectName, threadOf } from './message.ts'
import type { Surroundings } from './surroundings.ts'
import type { Turn } from './take-facts.ts'

/** What is said of incidents that are over, and of those that are not after all. */

type Saying = Pick<Turn, 'prepared' | 'road' | 'snoozePath'>

/** What was done with the issue: `resolved`. */
export const whyOver = (fact: Noted, { project }: Pick<Surroundings, 'project'>): string => {
  if (fact.kind === 'issue_resolved') return 'resolved'
  if (fact.kind === 'issue_deleted') return 'deleted'
  if (fact.kind !== 'issue_merged') return 'archived'
  const { number, status } = fact.data.parent
  const into = `merged into ${formatShortId(project(fact.projectId)?.slug ?? '', number)}`
  if (status === 'unresolved') return into
  return `${into}, which is ${status === 'resolved' ? 'resolved' : 'archived'},`
}

/** The same as one word, for a list. */
const endedBy = ({ kind }: Noted): string =>
  kind === 'issue_resolved'
    ? 'resolved'
    : kind === 'issue_deleted'
      ? 'deleted'
      : kind === 'issue_merged'
        ? 'merged'
        : 'archived'

const saidOf = (
  fact: Noted,
  incident: Incident,
  { line, message }: Pick<Said, 'line' | 'message'>,
  surroundings: Surroundings,
): Said => {
  const { actorId, issueId, organizationId, projectId, reportId } = fact
  return {
    organizationId,
    ruleId: incident.rule_id,
    incidentId: incident.id,
    occasion: `fact:${fact.id}`,
    message,
    line,
    name: nameOf(fact, surroundings),
    place: projectName(surroundings.project(projectId)),
    about: {
      issueId,
      reportId,
      actorId,
      projectId,
      cause: threadOf(fact),
      isHigh: false,
      noticeKey: `fact:${fact.id}`,
    },
  }
}

type Begun = Pick<Incident, 'headline' | 'rule_id' | 'rule_name' | 'started_at' | 'subject'>

const overAfter = (fact: Noted, { started_at: startedAt }: Begun): string =>
  lengthInMinutes(fact.receivedAt - startedAt)

/** What those are told who heard of it by itself. */
export const overMessage = (
  fact: Noted,
  incident: Begun,
  surroundings: Surroundings,
  snoozePath: Turn['snoozePath'],
): Message => ({
  ...aboutIncident(fact, incident, surroundings, snoozePath),
  kind: 'over',
  level: 'ok',
  headline: changedOf(`Over after ${overAfter(fact, incident)}`, fact, surroundings).headline,
  blocks: blocksOf(incident, isMove(fact) ? `The issue was ${whyOver(fact, surroundings)}.` : null),
  stage: 'over',
})

/** Incidents of an issue are over: whoever heard of them hears that. */
export const sayOver = (
  { prepared, road, snoozePath }: Saying,
  fact: Noted,
  ended: readonly Incident[],
): Promise<void> => {
  const { surroundings } = prepared
  return road.end(
    ended.map((incident) => {
      const { line } = changedOf('Over', fact, surroundings)
      const message = overMessage(fact, incident, surroundings, snoozePath)
      const ending = `${endedBy(fact)} after ${overAfter(fact, incident)}`
      return saidOf(fact, incident, { message, line: `${line}, ${ending}` }, surroundings)
    }),
  )
}

/** That they are over was taken back: whoever was told so hears that they go on, and what pages is opened again. */
export const sayNotOver = (
  { prepared, road, snoozePath }: Saying,
  fact: Noted,
  incidents: readonly Incident[],
): Promise<void> => {
  const { surroundings } = prepared
  return road.goOn(
    incidents.map((incident) => {
      const { headline, line } = changedOf('Not over after all', fact, surroundings)
      const message: Message = {
        ...aboutIncident(fact, incident, surroundings, snoozePath),
        kind: 'other',
        level: levelOf(fact),
        headline,
        blocks: blocksOf(incident, 'It was said to be over, which somebody took back.'),
        stage: 'first',
      }
      const said = saidOf(fact, incident, { line, message }, surroundings)
      return { ...said, about: { ...said.about, takesBack: `fact:${incident.over_by}` } }
    }),
  )
}

const aboutIncident = (
  fact: Noted,
  { rule_id: id, rule_name: name, subject }: Begun,
  surroundings: Surroundings,
  snoozePath: Turn['snoozePath'],
) => ({
  actions: [
    { label: 'Open', path: pathOf(fact, surroundings) },
    { label: 'Snooze the alert', path: snoozePath(id, fact.organizationId) },
  ],
  thread: subject,
  reason: `The alert “${name}” watches this.`,
  about: aboutOf(fact, { id, name }, surroundings),
})

const blocksOf = ({ headline }: Begun, text: string | null): Message['blocks'] => [
  { kind: 'text', text: headline },
  ...(text === null ? [] : [{ kind: 'text' as const, text }]),
]
