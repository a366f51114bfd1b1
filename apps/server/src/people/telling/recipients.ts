import { hash } from 'node:crypto'
import type { NOT_TOLD } from '@firsthand/contract'
import type { ReplySettings } from '../../accounts/index.ts'
import { wayToReporter } from '../../feedback/index.ts'
import { languageFor } from './told-text.ts'

/** Who of those that wrote about an issue is told that it is resolved: a rule over reports, without a store. */

/** A report of an issue, as far as it says who wrote it and how they are reached. */
export interface WrittenReport {
  readonly id: number
  readonly writer: string
  readonly name: string
  readonly email: string
  readonly token: string | null
  readonly status: string
  /** Beginning of what was written. */
  readonly quote: string
  readonly locale: string
  readonly createdAt: number
  /** When its sender wrote last: it, or an answer in its thread. */
  readonly wroteAt: number
}

export interface Recipient {
  readonly writer: string
  /** To whose thread the message goes. */
  readonly reportId: number
  /** All that they wrote about the issue. */
  readonly reportIds: readonly number[]
  readonly name: string
  readonly email: string
  readonly quote: string
  readonly by: 'email' | 'page'
  readonly language: string
}

export interface NotTold {
  readonly reportId: number
  readonly name: string
  readonly email: string
  readonly why: (typeof NOT_TOLD)[number]
}

export interface Chosen {
  readonly people: readonly Recipient[]
  readonly notTold: readonly NotTold[]
}

/** A writer as `told_people` knows them. */
export const writerHash = (writer: string): string => hash('sha256', writer, 'hex').slice(0, 32)

/**
 * One for each person, whatever they wrote how often: by mail where they gave an address, else on the page of their newest
 * report.
 *
 * @param reports newest first
 */
export const chooseRecipients = (
  reports: readonly WrittenReport[],
  known: {
    readonly reply: ReplySettings
    readonly canSendEmail: boolean
    /** By `writerHash`: when they were told before. */
    readonly toldAt: ReadonlyMap<string, number>
    readonly isUnsubscribed: (email: string) => boolean
    readonly leftOut: ReadonlySet<number>
  },
): Chosen => {
  const people: Recipient[] = []
  const notTold: NotTold[] = []
  for (const [writer, own] of Map.groupBy(reports, (report) => report.writer)) {
    const [newest] = own
    if (newest === undefined) continue
    const name = own.find((report) => report.name !== '')?.name ?? ''
    const leave = (why: NotTold['why']) => notTold.push({ reportId: newest.id, name, email: newest.email, why })
    const wanted = own.filter((report) => report.status !== 'spam')
    const ways = wanted.map((report) => ({
      report,
      by: wayToReporter(report, known.reply, known.canSendEmail).by,
    }))
    const way = ways.find(({ by }) => by === 'email') ?? ways.find(({ by }) => by === 'page')
    const toldAt = known.toldAt.get(writerHash(writer))
    if (wanted.length === 0) leave('spam')
    else if (own.some(({ id }) => known.leftOut.has(id))) leave('left_out')
    // Who wrote since does not know that it is resolved now.
    else if (toldAt !== undefined && wanted.every(({ wroteAt }) => wroteAt <= toldAt)) leave('told')
    else if (wanted.some(({ email }) => email !== '' && known.isUnsubscribed(email))) leave('unsubscribed')
    else if (way === undefined || way.by === 'none') leave('unreachable')
    else {
      people.push({
        writer,
        reportId: way.report.id,
        reportIds: own.map(({ id }) => id),
        name,
        email: way.report.email,
        quote: way.report.quote,
        by: way.by,
        language: languageFor(way.report.locale),
      })
    }
  }
  return { people, notTold }
}
