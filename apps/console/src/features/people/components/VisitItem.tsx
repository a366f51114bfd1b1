import type { PersonEntry } from '@firsthand/contract'
import { type ReactNode, useState } from 'react'

import { cx } from '../../../lib/cx.ts'
import { formatDuration, formatExact } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'
import { readableAddress } from '../../../lib/readable-address.ts'
import {
  Badge,
  ButtonLink,
  ErrorIcon,
  type Icon,
  LinesIcon,
  Link,
  ReplayIcon,
  SpeechIcon,
  TracesIcon,
  VisibleText,
  WarningIcon,
} from '../../../ui/index.ts'
import { playLength } from '../../replays/links/index.ts'
import {
  isFailed,
  isTelling,
  type ReplayEntry,
  type Visit,
  type ToldEntry,
  toldWords,
  type VisitLine,
  visitTitle,
} from '../model/visits.ts'
import styles from './Visits.module.css'

/** Lines without trouble of one visit that are shown before they are asked for. */
const FEW_LINES = 2

/** One visit: when it was, what it came to, and what happened in it. */
export function VisitItem({ org, visit }: { readonly org: string; readonly visit: Visit }) {
  const [isOpen, setIsOpen] = useState(false)
  const { replay, lines } = visit
  const telling = lines.filter(({ entry }) => isTelling(entry))
  const plain = lines.length - telling.length
  const isFolded = !isOpen && plain > FEW_LINES
  const shown = isFolded ? telling : lines
  const release = releaseOf(visit)
  return (
    <article className={styles.visit} aria-label={`${visitTitle(visit)}, ${formatExact(visit.from)}`}>
      <p className={styles.time} title={formatExact(visit.from)}>
        {formatMoment('clock', visit.from)}
      </p>
      <div className={styles.body}>
        <div className={styles.head}>
          <h3 className={visit.isQuiet ? styles.calm : undefined}>{visitTitle(visit)}</h3>
          {release === '' ? null : <Badge>{release}</Badge>}
          {replay === null ? null : <ReplayFacts org={org} replay={replay} />}
        </div>
        <ol className={styles.lines}>
          {shown.map((line) => (
            <li key={`${line.entry.kind}:${line.entry.id}`}>
              <Line org={org} line={line} from={visit.from} />
            </li>
          ))}
        </ol>
        {plain > FEW_LINES ? (
          <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Fold what went well' : `${plain} pages, requests and log lines without trouble`}
          </button>
        ) : null}
      </div>
    </article>
  )
}

function releaseOf({ lines, replay }: Visit): string {
  if (replay !== null && replay.release !== '') return replay.release
  for (const { entry } of lines) if ('release' in entry && entry.release !== '') return entry.release
  return ''
}

function ReplayFacts({ org, replay }: { readonly org: string; readonly replay: ReplayEntry }) {
  const facts = [
    replay.browser,
    replay.os,
    replay.rageClicks === 0 ? '' : `${replay.rageClicks} rage ${replay.rageClicks === 1 ? 'click' : 'clicks'}`,
    replay.deadClicks === 0 ? '' : `${replay.deadClicks} dead ${replay.deadClicks === 1 ? 'click' : 'clicks'}`,
  ]
  return (
    <>
      <span className={styles.quietWords}>
        <VisibleText text={facts.filter((fact) => fact !== '').join(' · ')} />
      </span>
      <ButtonLink
        size="small"
        variant="ghost"
        icon={ReplayIcon}
        className={styles.play ?? ''}
        to="/organizations/$org/replays/$replay"
        params={{ org, replay: replay.id }}
      >
        {playLength(Date.parse(replay.at), Date.parse(replay.until))}
      </ButtonLink>
    </>
  )
}

function Line({
  org,
  line: { entry, times },
  from,
}: {
  readonly org: string
  readonly line: VisitLine
  readonly from: number
}) {
  const at = Date.parse(entry.at)
  switch (entry.kind) {
    case 'report':
      return <Quote org={org} entry={entry} />
    case 'message':
      return (
        <p className={cx(styles.message, styles.theirs)}>
          <span className={styles.text} dir="auto">
            <VisibleText text={entry.text} />
          </span>
          <span className={styles.quietWords} title={formatExact(at)}>
            they wrote {formatMoment('hour', at)}
          </span>
        </p>
      )
    case 'told':
      return <Told org={org} entry={entry} />
    case 'error':
      return (
        <Plain
          at={at}
          from={from}
          icon={ErrorIcon}
          tone="error"
          end={<IssueOf org={org} entry={entry} times={times} />}
        >
          <VisibleText text={entry.title} />
        </Plain>
      )
    case 'transaction':
      return (
        <Plain
          at={at}
          from={from}
          icon={isTelling(entry) ? WarningIcon : TracesIcon}
          tone={isFailed(entry) ? 'error' : isTelling(entry) ? 'warning' : 'plain'}
          end={
            <Link look="quiet" to="/organizations/$org/traces/$trace" params={{ org, trace: entry.traceId }}>
              {times > 1 ? `${times}× ` : ''}
              {entry.httpStatus === null ? '' : `${entry.httpStatus} · `}
              {formatDuration(entry.durationMs)}
            </Link>
          }
        >
          <code>
            <VisibleText text={entry.name} />
          </code>
        </Plain>
      )
    case 'log':
      return (
        <Plain
          at={at}
          from={from}
          icon={LinesIcon}
          tone={isTelling(entry) ? 'warning' : 'plain'}
          end={times > 1 ? `${times}×` : entry.level}
        >
          <VisibleText text={entry.body} />
        </Plain>
      )
    case 'replay':
      return null
  }
}

function Told({ org, entry }: { readonly org: string; readonly entry: ToldEntry }) {
  const at = Date.parse(entry.at)
  return (
    <div className={cx(styles.message, styles.told)}>
      <span className={styles.text} dir="auto">
        <VisibleText text={entry.text} />
      </span>
      <span className={styles.quietWords} title={formatExact(at)}>
        <VisibleText text={entry.user === null ? 'told by itself' : entry.user.name || entry.user.email} />{' '}
        {formatMoment('clock', at)}, {toldWords(entry)}
        {' · '}
        <Link to="/organizations/$org/feedback" params={{ org }} search={{ mailbox: 'all', report: entry.report }}>
          Open the report
        </Link>
      </span>
      {entry.error === null ? null : (
        <span className={styles.refused} dir="auto">
          The mail server said: <VisibleText text={entry.error} />
        </span>
      )}
    </div>
  )
}

function Plain({
  at,
  from,
  icon: Drawn,
  tone,
  end,
  children,
}: {
  readonly at: number
  readonly from: number
  readonly icon: Icon
  readonly tone: 'error' | 'warning' | 'plain'
  readonly end: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div className={styles.line}>
      <span className={styles.offset} title={formatExact(at)}>
        {offsetOf(at - from)}
      </span>
      <Drawn size={14} className={styles[tone]} />
      <span className={styles.what}>{children}</span>
      <span className={styles.end}>{end}</span>
    </div>
  )
}

/** From the beginning of the visit: `1:47`, `1:02:03`. */
function offsetOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const two = (value: number): string => String(value).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
}

function IssueOf({
  org,
  entry,
  times,
}: {
  readonly org: string
  readonly entry: Extract<PersonEntry, { kind: 'error' }>
  readonly times: number
}) {
  const often = times > 1 ? `${times}× ` : ''
  if (entry.issue === null) return often
  return (
    <>
      {often}
      <Link to="/organizations/$org/issues/$issue" params={{ org, issue: entry.issue.id }} search={{ event: entry.id }}>
        {entry.issue.shortId}
      </Link>
      {entry.issue.status === 'unresolved' ? '' : ` ${entry.issue.status === 'resolved' ? 'resolved' : 'archived'}`}
    </>
  )
}

function Quote({ org, entry }: { readonly org: string; readonly entry: Extract<PersonEntry, { kind: 'report' }> }) {
  return (
    <div className={styles.quote}>
      <SpeechIcon size={14} className={styles.said} />
      <div>
        <blockquote dir="auto">
          <VisibleText text={`“${entry.message}”`} />
        </blockquote>
        <p className={styles.quietWords}>
          {[
            `sent ${formatMoment('clock', Date.parse(entry.at))}`,
            entry.url === '' ? '' : `from ${readableAddress(entry.url)}`,
            entry.pictures === 0 ? '' : 'with a picture',
            entry.status === 'spam' ? 'marked as spam' : '',
          ]
            .filter((part) => part !== '')
            .join(', ')}{' '}
          {entry.awaitsReply ? <Badge tone="warning">Waits for an answer</Badge> : null}
          {entry.issue === null ? null : (
            <>
              {' · '}
              <Link
                to="/organizations/$org/issues/$issue"
                params={{ org, issue: entry.issue.id }}
                search={{ tab: 'people' }}
              >
                {entry.issue.shortId}
              </Link>
            </>
          )}
          {' · '}
          <Link to="/organizations/$org/feedback" params={{ org }} search={{ mailbox: 'all', report: entry.id }}>
            Open the report
          </Link>
        </p>
      </div>
    </div>
  )
}
