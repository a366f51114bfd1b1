import type { ReplayPlayback } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'

import { cx } from '../../../lib/cx.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { Link, Loaded, SkeletonRows, VisibleText } from '../../../ui/index.ts'
import { type Clock, SmallTrace } from '../../traces/small/index.ts'
import { playTime } from '../model/time.ts'
import type { Player } from '../player/engine.ts'
import { replayTracesQuery, TRACES_MAX } from '../trace-queries.ts'
import { FollowList } from './FollowList.tsx'
import { TabHead, type TabPlace } from './TabHead.tsx'
import lineStyles from './Line.module.css'
import styles from './Traces.module.css'

const ROW_HEIGHT = 30
/** Of a larger one only its page is offered. */
const MAX_SPANS = 5000
const NONE = 'The SDK named no trace for this replay: tracing is not set up in it, or nothing was sampled.'

/** What the page and the services behind it did: the traces of a replay by time, the one of the moment as a waterfall. */
export function Traces({
  playback,
  player,
  place,
}: {
  readonly playback: ReplayPlayback
  readonly player: Player
  readonly place: TabPlace
}) {
  const { org } = useParams({ from: '/signed-in/organizations/$org/replays/$replay' })
  const { finishedAt, replay, startedAt } = playback
  const ids = replay.trace_ids
  const query = useQuery(replayTracesQuery(org, replay.id, ids, { from: startedAt, to: finishedAt }))
  const clock = useMemo<Clock>(() => ({ now: () => player.snapshot().at, subscribe: player.subscribe }), [player])
  if (ids.length === 0) return <Nothing place={place}>{NONE}</Nothing>
  const more = ids.length - TRACES_MAX
  return (
    <Loaded
      query={query}
      outline={<SkeletonRows rows={6} label="Looking for traces" />}
      failed="The traces could not be loaded"
      compact
    >
      {(traces) =>
        traces.length === 0 ? (
          <Nothing place={place}>
            {`Of the ${formatCount(ids.length)} ${ids.length === 1 ? 'trace' : 'traces'} that this replay names, none is stored: ${ids.length === 1 ? 'it was' : 'they were'} not sampled, or older than what is kept.`}
          </Nothing>
        ) : (
          <FollowList
            player={player}
            items={traces}
            rowHeight={ROW_HEIGHT}
            from={startedAt}
            place={place}
            nothing=""
            tools={more > 0 ? <span>{formatCount(more)} more are not listed</span> : null}
          >
            {(trace, state) => (
              <div className={styles.trace} data-when={state.when}>
                <div className={styles.head}>
                  <button
                    type="button"
                    data-row=""
                    className={cx(lineStyles.line, styles.line)}
                    data-when={state.when}
                    aria-current={state.when === 'now' ? 'time' : undefined}
                    tabIndex={state.tabIndex}
                    onClick={state.go}
                  >
                    <span className={lineStyles.at}>{playTime(trace.at - startedAt, 2)}</span>
                    <span className={styles.name}>
                      <VisibleText text={trace.name} />
                    </span>
                    <span className={styles.end}>
                      {formatCount(trace.spans)} {trace.spans === 1 ? 'span' : 'spans'} · {formatSpent(trace.took)}
                    </span>
                  </button>
                  <Link
                    className={styles.link}
                    to="/organizations/$org/traces/$trace"
                    params={{ org, trace: trace.key }}
                    aria-label={`Open ${trace.name}`}
                  >
                    Open
                  </Link>
                </div>
                {state.when !== 'now' || place.isStrip ? null : trace.spans > MAX_SPANS ? (
                  <p className={styles.note}>It has too many spans to be drawn here.</p>
                ) : (
                  <SmallTrace org={org} trace={trace.key} clock={clock} onGo={player.seek} />
                )}
              </div>
            )}
          </FollowList>
        )
      }
    </Loaded>
  )
}

function Nothing({ place, children }: { readonly place: TabPlace; readonly children: string }) {
  return (
    <>
      {place.isStrip ? <TabHead place={place} /> : null}
      <p className={styles.nothing}>{children}</p>
    </>
  )
}
