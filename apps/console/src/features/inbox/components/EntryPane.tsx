import type { InboxDetail, InboxItem, MessageBlock } from '@firsthand/contract'
import { useEffect, useRef } from 'react'
import { cx } from '../../../lib/cx.ts'
import { formatCount, formatExact } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'
import { isFocusLost } from '../../../shell/focus.ts'
import { LoadFailed } from '../../../shell/load-failed.tsx'
import {
  Badge,
  Button,
  ChevronLeftIcon,
  IconButton,
  Kbd,
  RelativeTime,
  SkeletonRows,
  Sparkline,
  type Tone,
  VisibleText,
} from '../../../ui/index.ts'
import { assigneeName } from '../../issues/model/index.ts'
import type { InboxWork } from '../inbox-work.ts'
import { KINDS } from '../model/kind-words.ts'
import { nameOf, shortTitles, wordsBeside } from '../model/short-titles.ts'
import { snoozeWords } from '../model/snooze-choices.ts'
import type { LineActions } from '../use-line-actions.ts'
import { PathLink } from './PathLink.tsx'
import { SnoozeMenu } from './SnoozeMenu.tsx'
import styles from './EntryPane.module.css'

interface EntryPaneProps {
  readonly work: InboxWork
  readonly actions: LineActions
  /** Undefined until it is there. */
  readonly entry: InboxDetail | undefined
  readonly error: Error | null
  readonly onRetry: () => void
}

/** One line: what it says, what it is about one by one, and what can be done. */
export function EntryPane({ work, actions, entry, error, onRetry }: EntryPaneProps) {
  if (entry === undefined) {
    return (
      <section aria-label="Line" className={styles.pane}>
        {error === null ? (
          <SkeletonRows rows={6} label="Loading the line" />
        ) : (
          <>
            <div className={styles.only}>
              <IconButton icon={ChevronLeftIcon} label="All lines" onClick={work.close} />
            </div>
            <LoadFailed title="The line could not be loaded" error={error} onRetry={onRetry} />
          </>
        )}
      </section>
    )
  }
  return (
    <article aria-label={entry.title} className={styles.pane}>
      <Head work={work} actions={actions} entry={entry} />
      <div className={styles.body} tabIndex={0} role="region" aria-label="What it says">
        {entry.blocks.map((block, index) => (
          <Said key={index} block={block} />
        ))}
        <AboutIssue actions={actions} />
        <Things items={shortTitles(entry.title, entry.items)} told={entry.told} />
        <p className={styles.ways}>
          {entry.actions.map(({ label, path }, index) => (
            <PathLink key={`${path} ${label}`} path={path} className={cx(styles.way, index === 0 && styles.first)}>
              {label}
            </PathLink>
          ))}
        </p>
      </div>
    </article>
  )
}

const toneOf = (level: InboxDetail['level']): Tone => (level === 'info' ? 'neutral' : level)

function Head({ work, actions, entry }: Pick<EntryPaneProps, 'work' | 'actions'> & { readonly entry: InboxDetail }) {
  const title = useRef<HTMLHeadingElement>(null)
  // On a narrow screen the list, and with it what had the focus, is gone.
  useEffect(() => {
    if (isFocusLost()) title.current?.focus()
  }, [])
  const { isDone, snooze } = entry
  return (
    <header className={styles.head}>
      <div className={styles.top}>
        <IconButton className={styles.back} icon={ChevronLeftIcon} label="All lines" onClick={work.close} />
        <Badge tone={toneOf(entry.level)}>{KINDS[entry.kind].label}</Badge>
        <span className={styles.span}>
          {entry.told > 1 ? (
            <>
              {formatMoment('hour', Date.parse(entry.firstAt))} to {formatMoment('hour', Date.parse(entry.lastAt))}
            </>
          ) : (
            <RelativeTime time={entry.lastAt} />
          )}
        </span>
        <div className={styles.actions}>
          <Button kbd="e" onClick={() => work.done([entry.id])}>
            {isDone ? 'Put back' : 'Done'}
          </Button>
          {snooze === null ? (
            <SnoozeMenu work={work} entry={entry} trigger={<Button kbd="h">Snooze</Button>} />
          ) : (
            <Button onClick={() => work.snooze(null, [entry.id])}>Wake up</Button>
          )}
          {actions.mayTake ? (
            <Button variant="primary" kbd="a" busy={actions.busy} onClick={() => void actions.take()}>
              Take it
            </Button>
          ) : null}
        </div>
      </div>
      <h2 ref={title} tabIndex={-1} className={styles.title}>
        <VisibleText text={entry.title} />
      </h2>
      <p className={styles.reason}>
        {entry.woken === '' ? null : <strong>{entry.woken} </strong>}
        {snooze === null ? null : <strong>It {snoozeWords(snooze)}. </strong>}
        {entry.told > 1 ? `One line in place of ${formatCount(entry.told)}. ` : null}
        <VisibleText text={entry.reason} />
        {entry.project === null ? null : <> · {entry.project.name}</>}
      </p>
    </header>
  )
}

/** A part of a message. What events and visitors sent is text, and nothing else. */
function Said({ block }: { readonly block: MessageBlock }) {
  switch (block.kind) {
    case 'text':
      return (
        <p className={styles.text}>
          <VisibleText text={block.text} />
        </p>
      )
    case 'code':
      return (
        <pre className={styles.code}>
          <VisibleText text={block.text} />
        </pre>
      )
    case 'quote':
      return (
        <blockquote className={styles.quote}>
          <p dir="auto">
            <VisibleText text={block.text} />
          </p>
          <footer>
            <VisibleText text={block.by} />
          </footer>
        </blockquote>
      )
    case 'facts':
      return (
        <dl className={styles.facts}>
          {block.rows.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <VisibleText text={value} />
              </dd>
            </div>
          ))}
        </dl>
      )
    case 'list':
      return (
        <ul className={styles.list}>
          {block.items.map(({ text, path }, index) => (
            <li key={index}>
              {path === undefined ? (
                <VisibleText text={text} />
              ) : (
                <PathLink path={path}>
                  <VisibleText text={text} />
                </PathLink>
              )}
            </li>
          ))}
        </ul>
      )
  }
}

/** How the issue is now, whatever it was when one was told. */
function AboutIssue({ actions: { issue, isMine } }: { readonly actions: LineActions }) {
  if (issue === undefined) return null
  const points = Object.values(issue.stats).at(-1) ?? []
  const name = assigneeName(issue.assignedTo)
  return (
    <section aria-label="The issue now" className={styles.issue}>
      <p>
        <strong>{issue.shortId}</strong> is {issue.status === 'ignored' ? 'archived' : issue.status} now
        {name === null ? ', and nobody has it' : isMine ? ', and you have it' : `, and ${name} has it`}.{' '}
        {countWords(Number(issue.count), 'event', 'events')}, {countWords(issue.userCount, 'person', 'people')}.
      </p>
      {points.length === 0 ? null : (
        <Sparkline values={points.map(([, count]) => count)} width={320} height={36} label="Events over time" />
      )}
    </section>
  )
}

const countWords = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

/** What was said of it, or else who did it. */
function Detail({ item }: { readonly item: InboxItem }) {
  const said = wordsBeside(item) || (item.actor === null ? '' : `by ${nameOf(item.actor)}`)
  return said === '' ? null : (
    <span className={styles.detail}>
      <VisibleText text={said} />
    </span>
  )
}

/** What the line is about, the oldest first, as a story is read. */
function Things({ items, told }: { readonly items: readonly InboxItem[]; readonly told: number }) {
  if (told <= 1) return null
  return (
    <section aria-label="What happened">
      <ol className={styles.things}>
        {told > items.length ? <li className={styles.earlier}>{formatCount(told - items.length)} earlier</li> : null}
        {items.toReversed().map((item) => {
          const Drawn = KINDS[item.kind].icon
          return (
            <li key={item.id} className={styles.thing}>
              <time
                dateTime={item.dateCreated}
                title={formatExact(Date.parse(item.dateCreated))}
                className={styles.when}
              >
                {formatMoment('hour', Date.parse(item.dateCreated))}
              </time>
              <Drawn className={styles.sign} />
              <span className={styles.what}>
                {item.path === '' ? (
                  <VisibleText text={item.title} />
                ) : (
                  <PathLink path={item.path} className={styles.plain}>
                    <VisibleText text={item.title} />
                  </PathLink>
                )}
                <Detail item={item} />
              </span>
            </li>
          )
        })}
      </ol>
      <p className={styles.hint}>
        <Kbd keys="e" /> when you are done with all of it. What comes later comes as a new line.
      </p>
    </section>
  )
}
