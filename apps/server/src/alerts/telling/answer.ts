import type { Block, Message } from '../../channels/index.ts'
import type { TakenLine } from '../ledger/groups.ts'
import { isDone, type ToldThing, type ToldTogether } from '../ledger/told-together.ts'
import { worstLevel } from './levels.ts'
import { listsOf, namesOf, placeOf, summaryMessage, type Summarised } from './summary.ts'
import type { FollowUp } from './summary-key.ts'

/** What is said of things that one message told of together: an answer to that message. Pure. */

/** What is left is named up to so many. */
const NAMED = 20

const isEnd = ({ kind }: TakenLine): boolean => kind === 'over'

/** `All 99 are over`, `97 of 99 are over`. */
const overOf = (ended: number, { isCut, things }: ToldTogether): string => {
  if (things === null) return ended === 1 ? '1 more is over' : `${ended} more are over`
  const left = things.filter(({ open }) => open !== null).length
  const listed = isCut ? ' that were listed' : ''
  const over = things.length - left
  if (left === 0) return `All ${things.length}${listed} are over`
  return `${over} of ${things.length}${listed} ${over === 1 ? 'is' : 'are'} over`
}

const againOf = (count: number, { things }: ToldTogether): string => {
  const of = things === null || things.length === count ? '' : ` of ${things.length}`
  return `${count}${of} ${count === 1 ? 'is' : 'are'} not over after all`
}

const backOf = (count: number): string =>
  count === 1 ? '1 is back after it was over' : `${count} are back after they were over`

const headlineOf = (word: FollowUp, lines: readonly TakenLine[], told: ToldTogether): string => {
  const ended = lines.filter(isEnd)
  const [only] = lines
  if (told.things?.length === 1 && only !== undefined) {
    return word === 'again' ? `Not over after all: ${only.text}` : isEnd(only) ? `Over: ${only.text}` : only.text
  }
  const said =
    word === 'again'
      ? againOf(lines.length, told)
      : ended.length === 0
        ? backOf(lines.length)
        : overOf(ended.length, told)
  const place = placeOf(lines)
  const where = place === '' ? '' : ` in ${place}`
  return `${said}${where}${namesOf(ended.length === 0 ? lines : ended)}`
}

const AS_LEFT: Readonly<Record<NonNullable<ToldThing['open']>, string>> = {
  still: '',
  again: ' (back after it was over)',
  unwatched: ' (no longer watched)',
}

const leftItem = ({ name, open, path }: ToldThing) => ({ text: `${name}${open === null ? '' : AS_LEFT[open]}`, path })

/** What of the summary is not over. */
const leftOf = ({ things }: ToldTogether): Block[] => {
  const left = (things ?? []).filter(({ open }) => open !== null)
  if (left.length === 0) return []
  const rest = left.length - NAMED
  return [
    { kind: 'text', text: 'What is left:' },
    { kind: 'list', items: left.slice(0, NAMED).map(leftItem) },
    ...(rest > 0 ? [{ kind: 'text' as const, text: `and ${rest} more` }] : []),
  ]
}

export const answerMessage = (
  lines: readonly TakenLine[],
  { told, word, ...rest }: Summarised & { readonly word: FollowUp; readonly told: ToldTogether },
): Message => {
  const summary = summaryMessage(lines, rest)
  const ended = lines.filter(isEnd)
  const headline = headlineOf(word, lines, told)
  if (word === 'again') return { ...summary, headline }
  const back = lines.filter((line) => !isEnd(line))
  const left = leftOf(told)
  return {
    ...summary,
    kind: ended.length === 0 ? summary.kind : 'over',
    level: worstLevel(lines.map(({ level }) => level)),
    headline,
    blocks: [
      ...listsOf(told.things === null ? lines : ended, 0),
      ...(told.things === null ? [] : backBlocks(back, told)),
      ...left,
    ],
    // By it Discord puts this in place of the message that it answers, which names what is left, and others close its thread.
    stage: isDone(told) ? 'over' : 'single',
  }
}

/** What came back is in what is left already, where that is known. */
const backBlocks = (back: readonly TakenLine[], told: ToldTogether): Block[] => {
  const left = new Set((told.things ?? []).flatMap(({ open, path }) => (open === null ? [] : [path])))
  return listsOf(
    back.filter(({ path }) => !left.has(path)),
    0,
  )
}
