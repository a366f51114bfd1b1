import type { ErasedPerson } from '../storage/index.ts'
import type { Block, Message } from './message.ts'
import { plainLine } from './text.ts'

/** The row of a message that says to whom it happened. */
export const PERSON_ROW = 'Person'

/** What only the event or the report of a person says of it. */
const OF_PERSON: ReadonlySet<string> = new Set([PERSON_ROW, 'Address'])

/** How messages may write the names of a person: as they came, and as one plain line. */
const written = (names: readonly string[]): readonly string[] => [
  ...new Set(names.flatMap((one) => [one, plainLine(one)])),
]

const idsOf = ({ keys }: ErasedPerson): readonly string[] =>
  written(keys.flatMap((key) => (key.startsWith('id:') ? [key.slice('id:'.length)] : [])))

const emailsOf = ({ emails }: ErasedPerson): readonly string[] => written(emails)

/** Parts of messages, as JSON, by which those are found that may name a person; the second ones in lower case. */
export const partsNaming = (person: ErasedPerson) => ({
  exact: idsOf(person).flatMap((id) => [row(id), `"user":{"id":${JSON.stringify(id)},`]),
  lower: emailsOf(person).flatMap((email) => [row(email).toLowerCase(), `"email":${JSON.stringify(email)}}`]),
})

const row = (value: string): string => `"name":${JSON.stringify(PERSON_ROW)},"value":${JSON.stringify(value)}`

const isNamed = (person: ErasedPerson, values: readonly unknown[]): boolean => {
  const [ids, emails] = [idsOf(person), emailsOf(person)]
  return values.some(
    (value) => typeof value === 'string' && (ids.includes(value) || emails.includes(value.toLowerCase())),
  )
}

const userOf = ({ about }: Message): readonly unknown[] => {
  const user = about?.event?.['user']
  return typeof user === 'object' && user !== null ? Object.values(user) : []
}

const rowsOf = ({ blocks }: Message): readonly string[] =>
  blocks.flatMap((block) =>
    block.kind === 'facts' ? block.rows.flatMap(({ name, value }) => (name === PERSON_ROW ? [value] : [])) : [],
  )

const isOfPerson = (person: ErasedPerson, message: Message): boolean =>
  isNamed(person, [...rowsOf(message), ...userOf(message)])

const withoutRows = (block: Block): Block =>
  block.kind === 'facts' ? { kind: 'facts', rows: block.rows.filter(({ name }) => !OF_PERSON.has(name)) } : block

/** The message as it says nothing of a person to whom it happened, or who wrote it; null where it is of somebody else. */
export const withoutPerson = (message: Message, person: ErasedPerson): Message | null => {
  if (!isOfPerson(person, message)) return null
  const { about, ...said } = message
  const { event: _event, report, ...rest } = about ?? {}
  const isReport = report !== undefined
  return {
    ...said,
    ...(isReport && { headline: 'Feedback that was deleted' }),
    // What they wrote is theirs whole.
    blocks: message.blocks.filter(({ kind }) => !isReport || kind === 'facts').map(withoutRows),
    ...(about !== undefined && { about: rest }),
  }
}
