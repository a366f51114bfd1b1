import type { ProjectReference } from '../../accounts/index.ts'
import { cut, type Block } from '../../channels/index.ts'
import type { NormalisedEvent } from '../../event/event.ts'
import type { IssueRecord } from '../../issues/index.ts'
import { instantText } from '../../lib/instant-text.ts'
import { LIMITS } from '../limits.ts'
import type { Draft } from '../writing/draft.ts'
import { isPersonal, present, withoutQuery } from './rows.ts'
import { stackText } from './stack.ts'

/** Somebody's words about an issue. */
export interface Quote {
  readonly text: string
  readonly name: string
}

interface IssueEvidence {
  readonly issue: IssueRecord
  /** Null where none is kept any more. */
  readonly event: NormalisedEvent | null
  readonly quotes: readonly Quote[]
  readonly users: number
  /** Of the issue's page. */
  readonly url: string
}

/** What stands above them already. */
const SHOWN = new Set(['level', 'release', 'environment', 'transaction', 'mechanism', 'handled'])

const tagsOf = (event: NormalisedEvent | null): readonly { readonly name: string; readonly value: string }[] =>
  (event?.tags ?? [])
    .filter(([key]) => !isPersonal(key) && !SHOWN.has(key))
    .slice(0, LIMITS.TICKET_TAGS)
    .map(([name, value]) => ({ name, value: name === 'url' ? withoutQuery(value) : value }))

const quoteBlocks = (quotes: readonly Quote[]): readonly Block[] =>
  quotes.slice(0, LIMITS.TICKET_QUOTES).map(({ text, name }): Block => ({
    kind: 'quote',
    text: cut(text, LIMITS.TICKET_QUOTE_CHARS),
    by: name === '' ? 'somebody who ran into it' : name,
  }))

const projectName = ({ name, slug }: ProjectReference): string => (name === '' ? slug : name)

/** What a ticket of an issue says. Nothing of it is anything but text. */
export const draftOfIssue = ({ issue, event, quotes, users, url }: IssueEvidence): Draft => {
  const stack = event === null ? '' : stackText(event)
  const message = event?.logentry?.formatted ?? event?.logentry?.message ?? ''
  const rows = present([
    ['Issue', issue.shortId],
    ['Project', projectName(issue.project)],
    ['Level', issue.level],
    ['Where', issue.culprit],
    ['Events', String(issue.timesSeen)],
    ['People', users === 0 ? null : String(users)],
    ['First seen', instantText(issue.firstSeen)],
    ['Last seen', instantText(issue.lastSeen)],
    ['Release', issue.lastRelease ?? event?.release],
    ['Environment', event?.environment],
  ])
  const tags = tagsOf(event)
  return {
    title: issue.title,
    blocks: [
      { kind: 'facts', rows },
      ...(stack === '' ? [] : [{ kind: 'code', text: stack } as const]),
      ...(stack === '' && message !== '' ? [{ kind: 'code', text: message } as const] : []),
      ...quoteBlocks(quotes),
      ...(tags.length === 0 ? [] : [{ kind: 'facts', rows: tags } as const]),
    ],
    link: { label: `${issue.shortId} in Firsthand`, url },
  }
}
