import { type CSSProperties, useState } from 'react'

import { cx } from '../../../lib/cx.ts'
import { formatCount, formatDuration } from '../../../lib/format.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import {
  AddressText,
  Avatar,
  Checkbox,
  LevelDot,
  Link,
  RelativeTime,
  VisibleText,
  VisuallyHidden,
} from '../../../ui/index.ts'
import type { ReplayRow as Row } from './queries.ts'
import { StarButton } from '../keeping/StarButton.tsx'
import { Thumbnail } from './Thumbnail.tsx'
import { leadOf, lengthOf, momentInSight, placeOf, shownAfter, visitedPages, visitorOf } from './replay-row.ts'
import styles from './ReplayRow.module.css'

const STEPS = 10

interface ReplayRowProps {
  readonly org: string
  readonly replay: Row
  /** What it was found by, if it asks for clicks: it opens at the first of them. '' for any other search. */
  readonly query: string
  /** 2 for the first row: the head is 1. */
  readonly rowIndex: number
  readonly isDrawn: boolean
  readonly current: boolean
  readonly selected: boolean
  readonly style: CSSProperties
  readonly onOpen: () => void
  /** Null when there is nothing to be selected for. */
  readonly onSelect: ((withShift: boolean) => void) | null
}

/** One replay: who, with what, on which pages, what went wrong, how long and when. */
export function ReplayRow({
  org,
  replay,
  query,
  rowIndex,
  isDrawn,
  current,
  selected,
  style,
  onOpen,
  onSelect,
}: ReplayRowProps) {
  const name = visitorOf(replay)
  const [isPreviewed, setPreviewed] = useState(false)
  const moment = momentInSight(replay)
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      aria-selected={selected}
      data-replay={replay.id}
      className={cx(
        styles.row,
        selected && styles.selected,
        current && styles.current,
        replay.has_viewed && styles.known,
      )}
      style={style}
      onPointerEnter={({ pointerType }) => setPreviewed(pointerType === 'mouse')}
      onPointerLeave={() => setPreviewed(false)}
      onFocus={() => setPreviewed(true)}
      onBlur={() => setPreviewed(false)}
    >
      {onSelect === null ? null : (
        <div role="cell" className={styles.check}>
          <Checkbox
            aria-label={`Select the replay of ${name ?? 'somebody'}`}
            checked={selected}
            onCheckedChange={(_, event) => onSelect('shiftKey' in event && event.shiftKey === true)}
          />
        </div>
      )}
      <div role="cell" className={styles.picture}>
        <Thumbnail
          org={org}
          replay={replay}
          at={moment === null ? null : Date.parse(moment)}
          label={shownAfter(moment, replay.started_at)}
          words={replay.shownWords?.match.replace('…', '') ?? ''}
          isDrawn={isDrawn}
          isPreviewed={isPreviewed}
        />
      </div>
      <div role="cell" className={styles.main}>
        <Visitor org={org} replay={replay} query={query} name={name} onOpen={onOpen} />
        <Pages urls={replay.urls} />
        {replay.shownWords === null ? null : (
          <Shown words={replay.shownWords} at={shownAfter(replay.shownAt, replay.started_at)} />
        )}
        {replay.first_error === null || replay.shownWords !== null ? null : (
          <FirstError org={org} replay={replay} error={replay.first_error} />
        )}
      </div>
      <div role="cell" className={styles.activity}>
        <Activity value={replay.activity} />
      </div>
      <Counted value={replay.count_errors} of="error" className={styles.errors} />
      <Counted value={replay.count_rage_clicks} word="rage" of="click" className={styles.rage} />
      <Counted value={replay.count_dead_clicks} word="dead" of="click" />
      <div
        role="cell"
        className={styles.length}
        title={replay.duration === null ? undefined : formatDuration(replay.duration * 1000)}
      >
        {lengthOf(replay)}
      </div>
      <div role="cell" className={styles.when}>
        {replay.started_at === null ? '–' : <RelativeTime time={replay.started_at} form="age" />}
      </div>
    </div>
  )
}

function Visitor({
  org,
  replay,
  query,
  name,
  onOpen,
}: Pick<ReplayRowProps, 'org' | 'replay' | 'query' | 'onOpen'> & { readonly name: string | null }) {
  const release = replay.releases.at(-1)
  const facts = [replay.environment, placeOf(replay)].filter(Boolean).join(' · ')
  return (
    <div className={styles.title}>
      <Avatar name={name === replay.user.ip ? null : name} />
      {replay.has_viewed ? null : <VisuallyHidden>Not viewed yet</VisuallyHidden>}
      <Link
        look="plain"
        className={cx(styles.link, name === null && styles.nobody)}
        to="/organizations/$org/replays/$replay"
        params={{ org, replay: replay.id }}
        search={leadOf(replay, query)}
        title={name ?? undefined}
        onClick={onOpen}
      >
        <VisibleText text={name ?? 'anonymous'} />
      </Link>
      <StarButton org={org} replay={replay} />
      <span className={styles.facts} title={plainVisible([release, facts].filter(Boolean).join(' · '))}>
        {release === undefined ? null : (
          <>
            <code>
              <VisibleText text={release} />
            </code>
            {facts === '' ? '' : ' · '}
          </>
        )}
        <VisibleText text={facts} />
      </span>
    </div>
  )
}

function Pages({ urls }: { readonly urls: readonly string[] }) {
  const { before, pages } = visitedPages(urls)
  return (
    <p className={styles.pages} title={plainVisible(urls.join('\n'))}>
      {before === 0 ? null : <span className={styles.before}>{formatCount(before)} before</span>}
      {pages.length === 0 ? 'no page is known' : null}
      {pages.map((page, index) => (
        // The same page can come twice, and they never change places.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index} className={styles.page}>
          {index === 0 && before === 0 ? null : <span className={styles.then}> › </span>}
          <AddressText text={page} />
        </span>
      ))}
    </p>
  )
}

/** The words that were searched, as they stood on the page. */
function Shown({
  words: { after, before, match },
  at,
}: {
  readonly words: NonNullable<Row['shownWords']>
  readonly at: string | null
}) {
  return (
    <p className={styles.quote} title={plainVisible(before + match + after)}>
      {at === null ? null : (
        <span className={styles.shown} title="From then on the words stood on the page">
          at {at}
        </span>
      )}
      <q>
        <VisibleText text={before} />
        <mark>
          <VisibleText text={match} />
        </mark>
        <VisibleText text={after} />
      </q>
    </p>
  )
}

/** What went wrong first; others are behind it. */
function FirstError({
  org,
  replay,
  error,
}: Pick<ReplayRowProps, 'org' | 'replay'> & { readonly error: NonNullable<Row['first_error']> }) {
  const others = (replay.count_errors ?? 1) - 1
  return (
    <p className={styles.error}>
      <LevelDot level="error" />
      {error.issue === null ? null : (
        <Link
          look="plain"
          className={styles.issue}
          to="/organizations/$org/issues/$issue"
          params={{ org, issue: error.issue.id }}
          search={{ event: error.event_id }}
        >
          {error.issue.short_id}
        </Link>
      )}
      <span className={styles.errorTitle} title={plainVisible(error.title)}>
        <VisibleText text={error.title} />
      </span>
      {others > 0 ? <span className={styles.others}>and {formatCount(others)} more</span> : null}
    </p>
  )
}

/** So many of ten strokes, the higher the more. */
function Activity({ value }: { readonly value: number | null }) {
  if (value === null) return <>–</>
  const text = `Activity ${value} of ${STEPS}`
  return (
    <span className={styles.meter} role="img" aria-label={text} title={text}>
      {Array.from({ length: STEPS }, (_, step) => (
        <span key={step} data-on={step < value} />
      ))}
    </span>
  )
}

/** Under its head a number; on a phone, where there are no heads, with its word. */
function Counted({
  value,
  word,
  of,
  className,
}: {
  readonly value: number | null
  /** Where there is little room it says enough. */
  readonly word?: string
  readonly of: string
  readonly className?: string | undefined
}) {
  const count = value ?? 0
  const things = count === 1 ? of : `${of}s`
  return (
    <div role="cell" className={cx(styles.count, className)} data-none={count === 0}>
      {count === 0 ? (
        <>
          <span aria-hidden="true">–</span>
          <VisuallyHidden>
            no {word} {things}
          </VisuallyHidden>
        </>
      ) : (
        <>
          {formatCount(count)}
          <span className={styles.unit}> {word ?? things}</span>
          {word === undefined ? null : <VisuallyHidden> {things}</VisuallyHidden>}
        </>
      )}
    </div>
  )
}
