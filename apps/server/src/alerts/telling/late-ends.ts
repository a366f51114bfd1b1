import type { Message } from '../../channels/index.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import { readAfterwards, type Afterwards } from '../ledger/back-again.ts'
import type { TakenGroup, TakenLine } from '../ledger/groups.ts'
import { readSent, type SentMessage } from '../ledger/sent-messages.ts'
import { summariesOf } from './end.ts'

/**
 * An end that waited to be told together with others is told as it is by then. What began again is not said to be over:
 * whoever heard of its beginning is told when that is over for good. An issue that is back of which the rule tells nothing
 * by itself is said to be back.
 */

interface Told {
  readonly groups: readonly TakenGroup[]
  /** Whoever hears nothing now of what began again counts as having heard of it, so as to hear of its end. */
  readonly heard: readonly SentMessage[]
}

const levelOf = (level: string): Message['level'] =>
  level === 'fatal' || level === 'error' || level === 'warning' ? level : 'info'

const isBack = (line: TakenLine, { level, shortId }: NonNullable<Afterwards['openIssue']>): TakenLine => ({
  ...line,
  kind: 'regression',
  level: levelOf(level),
  text: `${shortId} ${line.name} (back after it was over)`,
})

const isEnd = ({ kind }: TakenLine): boolean => kind === 'over'

export const withoutWhatIsBack = async (
  transaction: LedgerTransaction,
  groups: readonly TakenGroup[],
): Promise<Told> => {
  const ids = [...new Set(groups.flatMap(({ lines }) => lines.filter(isEnd)).map(({ incidentId }) => incidentId))]
  if (ids.length === 0) return { groups, heard: [] }
  const afterwards = await readAfterwards(transaction, ids)
  const sent = await readSent(transaction, [...new Set(ids.flatMap((id) => [id, afterwards(id).latest?.id ?? id]))])
  const keys = new Map(sent.map(({ incidentId, key, receiver }) => [`${incidentId} ${receiver}`, key]))
  // What told of the beginning is what is answered, not what was said of it since.
  for (const [told, summary] of summariesOf(sent, sent)) keys.set(told, summary)
  const heard: SentMessage[] = []
  const told = groups.map((group) => {
    const { organizationId, receiver } = group
    const lines = group.lines.flatMap((line): readonly TakenLine[] => {
      if (!isEnd(line)) return [line]
      const { latest, openIssue } = afterwards(line.incidentId)
      // They heard of the end of that one, or will.
      if (latest !== null && keys.has(`${latest.id} ${receiver}`)) return []
      if (latest?.isOpen !== true) return [openIssue === null ? line : isBack(line, openIssue)]
      const { incidentId, notice, ruleId } = line
      // The message by which they know of it is that which told of the beginning.
      const key = keys.get(`${incidentId} ${receiver}`)
      if (key === undefined) return []
      const row = { organizationId, ruleId, receiver, notice, key, incidentId: latest.id }
      keys.set(`${latest.id} ${receiver}`, key)
      heard.push({ ...row, stage: 'single', urgency: 0 })
      return []
    })
    return { ...group, lines }
  })
  return { groups: told, heard }
}
