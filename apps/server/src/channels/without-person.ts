import { ERASED_NAME, namesIn, partsOfNames, type NamesIn } from '../lib/without-names.ts'
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

/** As messages may write them. */
const writtenNames = ({ emails, keys }: ErasedPerson) => ({ keys: written(keys), emails: written(emails) })

/** Parts of messages, as JSON, by which those are found that may name a person; the second ones in lower case. */
export const partsNaming = (person: ErasedPerson) => partsOfNames(writtenNames(person))

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

const withoutWhoItHappenedTo = (message: Message, person: ErasedPerson): Message => {
  if (!isOfPerson(person, message)) return message
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

/** What alerts say of groups of values, by themselves and together. Other kinds quote what events and people say. */
const OF_GROUPS: ReadonlySet<Message['kind']> = new Set(['spike', 'over', 'other', 'digest'])

const blockWithout = (block: Block, names: NamesIn): Block => {
  switch (block.kind) {
    case 'text':
      return { kind: 'text', text: names.without(block.text) }
    case 'list':
      return { kind: 'list', items: block.items.map((item) => ({ ...item, text: names.without(item.text) })) }
    case 'facts':
      return {
        kind: 'facts',
        rows: block.rows.map(({ name, value }) => ({ name, value: names.isName(name, value) ? ERASED_NAME : value })),
      }
    case 'code':
    case 'quote':
      return block
  }
}

/** The values of a group, as its thread has them: `measured:3:["ada@x.example"]`. */
const OF_A_GROUP = /^measured:\d+:(\[.*\])$/s

/** Which attribute they are of a thread does not say. Behind a bare id it was one of users, where it was taken out of the rest. */
const isThreadOf = ({ headline, thread }: Pick<Message, 'headline' | 'thread'>, names: NamesIn): boolean => {
  const [, values] = OF_A_GROUP.exec(thread) ?? []
  const attribute = headline.includes(ERASED_NAME) ? 'user' : ''
  return values !== undefined && (JSON.parse(values) as string[]).some((value) => names.isName(attribute, value))
}

/** The same message where it names nobody of them. */
const withoutGroup = (message: Message, person: ErasedPerson): Message => {
  if (!OF_GROUPS.has(message.kind)) return message
  const names = namesIn(writtenNames(person))
  const { thread } = message
  const headline = names.without(message.headline)
  const said = { headline, blocks: message.blocks.map((block) => blockWithout(block, names)) }
  // Which messages belong together is known by the hash of a thread, once they are to be sent.
  const isOther = isThreadOf({ headline, thread }, names)
  const isSame = JSON.stringify(said) === JSON.stringify({ headline: message.headline, blocks: message.blocks })
  return isSame && !isOther ? message : { ...message, ...said, thread: isOther ? 'erased' : thread }
}

/**
 * The message as it says nothing of a person to whom it happened, who wrote it, or of whom an alert counted something; null
 * where it is of somebody else.
 */
export const withoutPerson = (message: Message, person: ErasedPerson): Message | null => {
  const without = withoutGroup(withoutWhoItHappenedTo(message, person), person)
  return without === message ? null : without
}
