import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react'

import { cx } from '../../../lib/cx.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { AddressText, Input, lazyPart, SearchIcon, Select } from '../../../ui/index.ts'
import {
  ALL_REQUESTS,
  filterRequests,
  type RequestFilter,
  type RequestRow,
  type RequestState,
  type Sight,
  sightOf,
} from '../model/requests.ts'
import { pathOf } from '../model/rows.ts'
import { playTime } from '../model/time.ts'
import type { Player } from '../player/engine.ts'
import { FollowList, type RowState } from './FollowList.tsx'
import type { TabPlace } from './TabHead.tsx'
import lineStyles from './Line.module.css'
import styles from './Network.module.css'

const RequestDetails = lazyPart(() => import('./RequestDetails.tsx').then((module) => module.RequestDetails))

const ROW_HEIGHT = 28
/** A bar is at least so wide, as a share. */
const LEAST_BAR = 0.02

const STATES: readonly { readonly value: RequestState; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'failed', label: 'Failed' },
  { value: 'slow', label: 'Slow' },
  { value: '2xx', label: '2xx' },
  { value: '3xx', label: '3xx' },
  { value: '4xx', label: '4xx' },
  { value: '5xx', label: '5xx' },
  { value: 'none', label: 'No answer' },
]

/** Requests of the page with the time that each took; a press goes there and opens what was sent and answered. */
export function Network({
  player,
  requests,
  from,
  replay,
  place,
}: {
  readonly player: Player
  readonly requests: readonly RequestRow[]
  readonly from: number
  readonly replay: string
  readonly place: TabPlace
}) {
  const [filter, setFilter] = useState<RequestFilter>(ALL_REQUESTS)
  const [opened, setOpened] = useState<string | null>(null)
  const shown = useMemo(
    () => (place.isStrip ? requests : filterRequests(requests, filter)),
    [place.isStrip, requests, filter],
  )
  const kinds = useMemo(() => [...new Set(requests.map(({ kind }) => kind))].filter((kind) => kind !== ''), [requests])
  const change = (part: Partial<RequestFilter>): void => setFilter((before) => ({ ...before, ...part }))
  const sightAt = (first: number, last: number): Sight => sightOf(shown.slice(Math.max(0, first), last + 1))
  return (
    <FollowList
      player={player}
      items={shown}
      rowHeight={ROW_HEIGHT}
      from={from}
      place={place}
      tools={<Filters kinds={kinds} filter={filter} onChange={change} />}
      nothing={
        requests.length === 0
          ? 'No request was recorded: the page made none, or its SDK does not note them.'
          : 'No request is like that.'
      }
      renderBehind={(first, last) =>
        shown.length === 0 ? null : <NowLine player={player} sight={sightAt(first, last)} />
      }
    >
      {(request, state, { first, last }) => (
        <div className={styles.row} data-open={opened === request.key}>
          <Line
            request={request}
            from={from}
            sight={sightAt(first, last)}
            state={state}
            isOpen={place.isStrip ? null : opened === request.key}
            onPress={() => {
              setOpened(opened === request.key ? null : request.key)
              state.go()
            }}
          />
          {!place.isStrip && opened === request.key ? (
            <RequestDetails replay={replay} request={request} fallback={<p className={styles.loading}>Loading</p>} />
          ) : null}
        </div>
      )}
    </FollowList>
  )
}

function Filters({
  kinds,
  filter,
  onChange,
}: {
  readonly kinds: readonly string[]
  readonly filter: RequestFilter
  readonly onChange: (part: Partial<RequestFilter>) => void
}) {
  return (
    <span className={styles.filters}>
      <Input
        className={styles.search}
        icon={SearchIcon}
        aria-label="Filter requests"
        placeholder="Filter"
        value={filter.text}
        onValueChange={(text) => onChange({ text })}
      />
      <Select
        look="bar"
        aria-label="Status"
        value={filter.state}
        onValueChange={(state) => onChange({ state })}
        options={STATES}
      />
      {kinds.length < 2 ? null : (
        <Select
          look="bar"
          aria-label="Kind"
          value={filter.kind}
          onValueChange={(kind) => onChange({ kind })}
          options={[{ value: '', label: 'Any kind' }, ...kinds.map((kind) => ({ value: kind, label: kind }))]}
        />
      )}
    </span>
  )
}

const share = (at: number, { from, to }: Sight): number => (at - from) / (to - from)

function barOf({ at, duration }: RequestRow, sight: Sight): CSSProperties {
  const start = Math.min(1 - LEAST_BAR, Math.max(0, share(at, sight)))
  const end = Math.min(1, Math.max(start + LEAST_BAR, share(at + (duration ?? 0), sight)))
  return { left: `${(start * 100).toFixed(2)}%`, width: `${((end - start) * 100).toFixed(2)}%` }
}

function Line({
  request,
  from,
  sight,
  state,
  isOpen,
  onPress,
}: {
  readonly request: RequestRow
  readonly from: number
  readonly sight: Sight
  readonly state: RowState
  /** Null where rows do not open. */
  readonly isOpen: boolean | null
  readonly onPress: () => void
}) {
  const { at, duration, method, status, tone, url } = request
  const isNow = state.when === 'now'
  return (
    <button
      type="button"
      data-row=""
      className={cx(lineStyles.line, styles.line)}
      data-when={state.when}
      data-tone={tone}
      aria-current={isNow ? 'time' : undefined}
      aria-expanded={isOpen ?? undefined}
      tabIndex={state.tabIndex}
      title={`${playTime(at - from, 2)} ${url}`}
      onClick={isOpen === null ? state.go : onPress}
    >
      <span className={styles.method}>{method}</span>
      <span className={styles.url}>
        <AddressText text={pathOf(url)} />
      </span>
      <span className={styles.status}>{status ?? 'none'}</span>
      <span className={styles.track}>
        <span className={styles.bar} style={barOf(request, sight)} />
      </span>
      <span className={styles.took}>{duration === null ? '–' : formatSpent(duration)}</span>
    </button>
  )
}

/** Tells the bars where the time of the player is, without drawing anything anew. */
function NowLine({ player, sight: { from, to } }: { readonly player: Player; readonly sight: Sight }) {
  const mark = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const follow = (): void => {
      const at = share(player.snapshot().at, { from, to })
      const list = mark.current?.parentElement
      list?.style.setProperty('--now', String(Math.min(1, Math.max(0, at))))
      list?.style.setProperty('--now-shown', at < 0 || at > 1 ? '0' : '1')
    }
    follow()
    return player.subscribe(follow)
  }, [player, from, to])
  return <span ref={mark} hidden />
}
